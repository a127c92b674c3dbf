import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { date, integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { type Outcome, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { ReservationsTable } from '../../../platform/schema/tables.ts'
import { discountsOf, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { facilityNotFound } from '../../facilities/facility-not-found-and-wire-boolean.ts'
import { agreedTerms, type DiscountTerms } from '../../pricing/agreed-and-offered-terms.ts'
import { moveInCost } from '../../pricing/move-in-cost-schema.ts'
import { priceMoveIn } from '../../pricing/move-in-price.ts'

/** Returns the unit's reservation if this rental session made or found it; null otherwise. */
async function loadOwnReservation(
  services: Services,
  { rental }: Callers,
  unitKey: { location_code: string; UnitId: number },
): Promise<Selectable<ReservationsTable> | null> {
  if (rental?.locationCode !== unitKey.location_code || rental.reservationCode === null) return null
  const reservation = await services.db.read
    .selectFrom('reservations')
    .selectAll()
    .where('location_code', '=', unitKey.location_code)
    .where('reservation_code', '=', rental.reservationCode)
    .where('unit_id', '=', unitKey.UnitId)
    .executeTakeFirst()
  return reservation ?? null
}

export const GetMoveInCostAll = operation({
  name: 'GetMoveInCostAll',
  summary:
    'What moving into a unit costs on a day, with a discount and an insurance scheme, 0 for none. To the rental session that has reserved the unit: at the rent and the discount that were agreed with it.',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    UnitId: integer(),
    MoveInDate: date(),
    DiscountId: v.optional(integer(), 0),
    InsuranceId: v.optional(integer(), 0),
  }),
  output: moveInCost,
  writes: false,
  example: {
    input: { location_code: 'ATL01', UnitId: 214, MoveInDate: '11/20/2026', DiscountId: 0, InsuranceId: 1 },
    output: {
      RentDetails: { TotalRentAmount: '81.00', TaxOnRent: '7.21', FromDate: '11/20/2026', ToDate: '12/19/2026' },
      InsuranceDetails: { InsuranceAmount: '12.00', TaxOnInsurance: '0.48' },
      FeeDetails: { FeesAmount: '29.00', TaxOnFees: '2.58', Description: 'Administration Fee' },
      DiscountDetails: { DiscountValue: '0.00', Description: '' },
      TotalDue: '132.27',
    },
  },
  async run(services, input, callers): Promise<Outcome<v.InferInput<typeof moveInCost>>> {
    const [factsByCode, unit] = await Promise.all([
      loadFacilityFacts(services, [input.location_code]),
      services.db.read
        .selectFrom('units')
        .select('unit_type_id')
        .where('location_code', '=', input.location_code)
        .where('unit_id', '=', input.UnitId)
        .executeTakeFirst(),
    ])
    const facts = factsByCode.get(input.location_code)
    if (!facts) return facilityNotFound()
    const type = unit && facts.unitTypes.find((unitType) => unitType.unit_type_id === unit.unit_type_id)
    const fields: Record<string, string> = {}
    if (!type) fields.UnitId = 'is not a unit of this location'
    const terms = type && agreedTerms(facts, type, await loadOwnReservation(services, callers, input))
    const discount: DiscountTerms | undefined =
      terms?.discount?.discount_id === input.DiscountId
        ? terms.discount
        : type &&
          discountsOf(facts, type.unit_type_id).find(
            (row) => row.discount_id === input.DiscountId && row.available === 1,
          )
    if (input.DiscountId !== 0 && !discount) fields.DiscountId = 'is not available for this unit'
    const scheme = facts.schemes.find((row) => row.scheme_id === input.InsuranceId)
    if (input.InsuranceId !== 0 && !scheme) fields.InsuranceId = 'is not offered at this location'
    if (!type || !terms || Object.keys(fields).length > 0) {
      return refuse(400, 'invalid_input', someFieldsInvalid, { fields })
    }
    const charges = priceMoveIn(facts, type, {
      moveInDate: input.MoveInDate,
      discount: discount ?? null,
      scheme: scheme ?? null,
      access24: false,
      cardFee: false,
      agreed: terms,
    })
    return succeed({
      RentDetails: {
        TotalRentAmount: toWire(charges.rent.amount),
        TaxOnRent: toWire(charges.rent.tax),
        FromDate: formatUs(charges.periodStart),
        ToDate: formatUs(charges.periodEnd),
      },
      InsuranceDetails: {
        InsuranceAmount: toWire(charges.insurance.amount),
        TaxOnInsurance: toWire(charges.insurance.tax),
      },
      FeeDetails: {
        FeesAmount: toWire(charges.fees.amount),
        TaxOnFees: toWire(charges.fees.tax),
        Description: charges.fees.description,
      },
      DiscountDetails: { DiscountValue: toWire(charges.rent.discount), Description: charges.discountDescription },
      TotalDue: toWire(charges.dueToday),
    })
  },
})
