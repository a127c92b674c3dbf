import * as v from 'valibot'
import { keysOf } from '../../../domain/typed-keys.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { locationCode, plainText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { may } from '../../../platform/operations/staff-scope.ts'
import { fee24HourAccess } from '../../move-in/texts/move-in.ts'
import { amount, cents, invalid, name } from '../internal/offer-input.ts'
import { addOffer, chargedWhen, inItsPlace, mostOf, offerAmount, offersAt } from '../offers.ts'
import { webText } from '../rules/csv-fields.ts'
import { facilityChanged, lockFacility, setupReason } from '../setup-lock.ts'
import { accessOnChoice, insteadOf } from '../texts/setup.ts'

const none = v.optional(v.literal(''), '')

/** Adds a fee, insurance plan or discount to a facility. */
export const AddOffer = internalOperation({
  name: 'AddOffer',
  access: { staff: may('setup.save') },
  input: v.variant('kind', [
    v.object({
      location_code: locationCode(),
      kind: v.literal('fee'),
      name,
      amount,
      reason: setupReason,
      charged: v.picklist(keysOf(chargedWhen), 'Choose when it is charged.'),
      unit_type_id: v.nullable(v.pipe(v.number(), v.integer())),
      coverage: none,
      terminology: none,
      by: none,
    }),
    v.object({
      location_code: locationCode(),
      kind: v.literal('plan'),
      name,
      amount,
      reason: setupReason,
      coverage: v.pipe(cents, v.minValue(100, 'Enter what it covers.'), v.maxValue(100_000_000, 'That is too much.')),
      terminology: v.pipe(
        plainText,
        v.trim(),
        v.check((typed) => webText(4000).read(typed) !== undefined, `Enter ${webText(4000).shape}.`),
      ),
      charged: none,
      unit_type_id: v.null(),
      by: none,
    }),
    v.object({
      location_code: locationCode(),
      kind: v.literal('discount'),
      name,
      amount,
      reason: setupReason,
      by: v.picklist(['percent', 'price'], 'Choose what it gives.'),
      unit_type_id: v.nullable(v.pipe(v.number(), v.integer())),
      charged: none,
      coverage: none,
      terminology: none,
    }),
  ]),
  example: {
    input: {
      location_code: 'ATL01',
      kind: 'fee',
      name: 'Lock Cut Fee',
      amount: 4500,
      charged: 'on_choice',
      unit_type_id: null,
      reason: 'New price list',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code, kind, name, amount, unit_type_id: unitTypeId } = input
      const charged = input.charged || null
      const byPercent = input.by === 'percent'
      if (!(await lockFacility(tx, location_code))) return notOnFile
      if (amount > mostOf(byPercent))
        return invalid('amount', `At most ${offerAmount({ amount: mostOf(byPercent), byPercent })}.`)
      // Renters who choose 24-hour access pay for it each period; charging it to all as well would bill them twice.
      if (kind === 'fee' && name === fee24HourAccess && charged !== 'on_choice')
        return invalid('charged', accessOnChoice)
      if (unitTypeId !== null && !(await isTypeOffered(tx, location_code, unitTypeId))) return notOnFile
      const offer = { kind, name, amount, byPercent, charged, unitTypeId }
      const other = inItsPlace(await offersAt(tx, location_code), offer)
      if (other) return refuse(409, 'taken', insteadOf(other.name))
      const { coverage, terminology } = input
      const id = await addOffer(tx, location_code, { ...offer, coverage: coverage || 0, terminology })
      await audit(tx, services, staffActor(callers), {
        kind: 'offer.added',
        details: { what: `${name} at ${location_code}, ${offerAmount(offer)}` },
        permission: 'setup.save',
        locationCode: location_code,
        reason: input.reason,
      })
      await facilityChanged(tx, services, location_code)
      return succeed({ id })
    }),
})

const isTypeOffered = (tx: Parameters<typeof offersAt>[0], location_code: string, unit_type_id: number) =>
  tx
    .selectFrom('unit_types')
    .select('unit_type_id')
    .where((eb) => eb.and({ location_code, unit_type_id }))
    .where('retired_on', 'is', null)
    .executeTakeFirst()
