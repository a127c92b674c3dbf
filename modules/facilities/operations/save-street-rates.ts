import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { type Cents, format } from '../../../domain/money.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { RENT_MAX } from '../../rent-changes/rules/rent-change.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../lock-facility-for-setup.ts'
import { unitTypeName } from '../rules/size-label.ts'
import { nothingChanged, webAboveStreet } from '../texts/setup-and-appointment-errors.ts'

const rate = v.pipe(
  v.number('Enter an amount in dollars.'),
  v.integer('Enter an amount in dollars.'),
  v.minValue(100, 'A rate is $1.00 at least.'),
  v.maxValue(RENT_MAX, 'A rate is $10,000.00 at most.'),
)

interface Rates {
  rent: Cents
  internet_price: Cents
  internet_price_available: 0 | 1
}

/** Formats rates: '$169.00, on the web $139.00'. Without a web rate, the site rents at the street rate. */
const ratesText = ({ rent, internet_price, internet_price_available }: Rates): string =>
  `${format(rent)}, ${internet_price_available === 1 ? `on the web ${format(internet_price)}` : 'without a web rate'}`

const sameRates = (a: Rates, b: Rates): boolean =>
  a.rent === b.rent &&
  a.internet_price === b.internet_price &&
  a.internet_price_available === b.internet_price_available

/**
 * Locks the unit types of a facility.
 * @returns the unit types by id
 */
async function lockUnitTypes(tx: Kysely<Tables>, location_code: string) {
  const types = await tx
    .selectFrom('unit_types')
    .selectAll()
    .where('location_code', '=', location_code)
    .orderBy('unit_type_id')
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .execute()
  return new Map(types.map((type) => [type.unit_type_id, type]))
}

type UnitType = Parameters<typeof unitTypeName>[0] & { unit_type_id: number }

/** Returns a function that names a unit type in the audit event, with its id where another type has the same name. */
function namesInAudit(types: readonly UnitType[]): (type: UnitType) => string {
  const typesByName = Map.groupBy(types, unitTypeName)
  return (type) => {
    const name = unitTypeName(type)
    return (typesByName.get(name)?.length ?? 0) > 1 ? `${name}, type ${type.unit_type_id}` : name
  }
}

export const SaveStreetRates = officeOperation({
  name: 'SaveStreetRates',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    rates: v.pipe(
      v.array(
        v.pipe(
          v.object({
            unit_type_id: v.pipe(v.number(), v.safeInteger()),
            rent: rate,
            internet_price: rate,
            internet_price_available: v.picklist([0, 1]),
            /** Values that the form showed. */
            before: v.object({
              rent: v.number(),
              internet_price: v.number(),
              internet_price_available: v.picklist([0, 1]),
            }),
          }),
          v.forward(
            v.check(
              (rates) => rates.internet_price_available === 0 || rates.internet_price <= rates.rent,
              webAboveStreet,
            ),
            ['internet_price'],
          ),
        ),
      ),
      v.minLength(1),
      v.maxLength(200),
    ),
    reason: setupReason,
  }),
  example: {
    location_code: 'ATL01',
    rates: [
      {
        unit_type_id: 1,
        rent: 17900,
        internet_price: 14900,
        internet_price_available: 1,
        before: { rent: 16900, internet_price: 13900, internet_price_available: 1 },
      },
    ],
    reason: 'Spring rates',
  },
  async work({ tx, services, audit }, input) {
    const { location_code } = input
    if (!(await lockFacility(tx, location_code))) throw new RefusalError(recordNotFound)
    const types = await lockUnitTypes(tx, location_code)
    const rates = input.rates.flatMap((update) => {
      const type = types.get(update.unit_type_id)
      return type ? [{ type, update }] : []
    })
    if (rates.length < input.rates.length) throw new RefusalError(recordNotFound)
    const changed = rates.filter(({ update }) => !sameRates(update, update.before))
    if (changed.some(({ type, update }) => !sameRates(type, update.before)))
      throw refusalError(409, 'changed', changedSince)
    if (changed.length === 0) throw refusalError(409, 'same', nothingChanged)
    const nameInAudit = namesInAudit([...types.values()])
    const changes: Record<string, [string, string]> = {}
    for (const { type, update } of changed) {
      const { rent, internet_price, internet_price_available } = update
      changes[nameInAudit(type)] = [ratesText(type), ratesText(update)]
      await tx
        .updateTable('unit_types')
        .set({ rent, internet_price, internet_price_available })
        .where((eb) => eb.and({ location_code, unit_type_id: update.unit_type_id }))
        .execute()
    }
    const what = `${changed.length} ${changed.length === 1 ? 'rate' : 'rates'} at ${location_code}`
    await audit({ kind: 'rates.saved', details: { what }, changes })
    await recordFacilityChange(tx, services, location_code)
    return { changed: changed.length }
  },
})
