import * as v from 'valibot'
import { keysOf } from '../../../domain/typed-keys.ts'
import { locationCode, plainText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { offerCents, offerName, positiveCents } from '../internal/fee-plan-discount-input-fields.ts'
import {
  addOffer,
  findConflictingOffer,
  findOfferedAccessFee,
  loadOffers,
  maxOfferAmount,
  offerAmount,
} from '../internal/fees-plans-discounts.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../lock-facility-for-setup.ts'
import { webText } from '../rules/csv-column-types.ts'
import { feeTimingLabels } from '../rules/fee-timing-labels-and-offer-kinds.ts'
import { accessOnChoice, offerNameTaken, oneAccessFee } from '../texts/setup-and-appointment-errors.ts'

const omitted = v.optional(v.literal(''), '')

/** Adds a fee, insurance plan or discount to a facility. */
export const AddOffer = officeOperation({
  name: 'AddOffer',
  permission: 'setup.save',
  input: v.variant('kind', [
    v.object({
      location_code: locationCode(),
      kind: v.literal('fee'),
      name: offerName,
      amount: positiveCents,
      reason: setupReason,
      charged: v.picklist(keysOf(feeTimingLabels), 'Choose when it is charged.'),
      unit_type_id: v.nullable(v.pipe(v.number(), v.safeInteger())),
      coverage: omitted,
      terminology: omitted,
      by: omitted,
    }),
    v.object({
      location_code: locationCode(),
      kind: v.literal('plan'),
      name: offerName,
      amount: positiveCents,
      reason: setupReason,
      coverage: v.pipe(
        offerCents,
        v.minValue(100, 'Enter what it covers.'),
        v.maxValue(100_000_000, 'That is too much.'),
      ),
      terminology: v.pipe(
        plainText,
        v.trim(),
        v.check((text) => webText(4000).read(text) !== undefined, `Enter ${webText(4000).shape}.`),
      ),
      charged: omitted,
      unit_type_id: v.null(),
      by: omitted,
    }),
    v.object({
      location_code: locationCode(),
      kind: v.literal('discount'),
      name: offerName,
      amount: positiveCents,
      reason: setupReason,
      by: v.picklist(['percent', 'price'], 'Choose what it gives.'),
      unit_type_id: v.nullable(v.pipe(v.number(), v.safeInteger())),
      charged: omitted,
      coverage: omitted,
      terminology: omitted,
    }),
  ]),
  example: {
    location_code: 'ATL01',
    kind: 'fee',
    name: 'Lock Cut Fee',
    amount: 4500,
    charged: 'on_choice',
    unit_type_id: null,
    reason: 'New price list',
  },
  async work({ tx, services, audit }, input) {
    const { location_code, kind, name, amount, unit_type_id: unitTypeId } = input
    const charged = input.charged || null
    const byPercent = input.by === 'percent'
    if (!(await lockFacility(tx, location_code))) throw new RefusalError(recordNotFound)
    if (amount > maxOfferAmount(byPercent))
      throw fieldError('amount', `At most ${offerAmount({ amount: maxOfferAmount(byPercent), byPercent })}.`)
    // Renters who choose 24-hour access pay for it each period; charging it to all as well would bill them twice.
    if (kind === 'fee' && name === fee24HourAccess && charged !== 'on_choice')
      throw fieldError('charged', accessOnChoice)
    if (unitTypeId !== null && !(await isTypeOffered(tx, location_code, unitTypeId)))
      throw new RefusalError(recordNotFound)
    const offer = { kind, name, amount, byPercent, charged, unitTypeId }
    const offers = await loadOffers(tx, location_code)
    const other = findConflictingOffer(offers, offer)
    if (other) throw refusalError(409, 'taken', offerNameTaken(other.name))
    const accessFee = kind === 'fee' && name === fee24HourAccess ? findOfferedAccessFee(offers) : undefined
    if (accessFee && accessFee.amount !== amount) throw fieldError('amount', oneAccessFee(offerAmount(accessFee)))
    const { coverage, terminology } = input
    const id = await addOffer(tx, location_code, { ...offer, coverage: coverage || 0, terminology })
    await audit({ kind: 'offer.added', details: { what: `${name} at ${location_code}, ${offerAmount(offer)}` } })
    await recordFacilityChange(tx, services, location_code)
    return { id }
  },
})

const isTypeOffered = (tx: Parameters<typeof loadOffers>[0], location_code: string, unit_type_id: number) =>
  tx
    .selectFrom('unit_types')
    .select('unit_type_id')
    .where((eb) => eb.and({ location_code, unit_type_id }))
    .where('retired_on', 'is', null)
    .executeTakeFirst()
