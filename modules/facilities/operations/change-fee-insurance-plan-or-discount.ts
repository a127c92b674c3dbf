import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { loadToday } from '../facility-facts-for-pricing.ts'
import { offerName, positiveCents } from '../internal/fee-plan-discount-input-fields.ts'
import {
  findConflictingOffer,
  findOfferedAccessFee,
  loadOffers,
  nameStatesAmount,
  type Offer,
  offerAmount,
  reservedMeaning,
  setOffer,
} from '../internal/fees-plans-discounts.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../lock-facility-for-setup.ts'
import { offerKinds } from '../rules/fee-timing-labels-and-offer-kinds.ts'
import {
  amountInName,
  nothingChanged,
  offerNameTaken,
  oneAccessFee,
  reservedNameStays,
} from '../texts/setup-and-appointment-errors.ts'

/** Changes a fee's, plan's or discount's name, amount and availability. */
export const SaveOffer = officeOperation({
  name: 'SaveOffer',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(offerKinds),
    id: v.pipe(v.number(), v.safeInteger()),
    name: offerName,
    amount: positiveCents,
    offered: v.boolean(),
    /** Values that the form showed. */
    before: v.object({ name: plainLine, amount: v.number(), offered: v.boolean() }),
    reason: setupReason,
  }),
  example: {
    location_code: 'ATL01',
    kind: 'fee',
    id: 1,
    name: 'Administration Fee',
    amount: 2500,
    offered: true,
    before: { name: 'Administration Fee', amount: 1800, offered: true },
    reason: 'New price list',
  },
  async work({ tx, services, audit }, input) {
    const { location_code, kind, name, amount, offered, before } = input
    await lockFacility(tx, location_code)
    const offers = await loadOffers(tx, location_code)
    const offer = offers.find((offer) => offer.kind === kind && offer.id === input.id)
    const today = await loadToday(tx, services, location_code)
    if (!offer || today === undefined) throw new RefusalError(recordNotFound)
    const isOffered = offer.retiredOn === null
    if (offer.name !== before.name || offer.amount !== before.amount || isOffered !== before.offered)
      throw refusalError(409, 'changed', `${changedSince} It is now ${offer.name}, ${offerAmount(offer)}.`)
    const updated = { ...offer, name, amount, retiredOn: offered ? null : (offer.retiredOn ?? today) }
    const changes = changesOf(offer, updated)
    if (Object.keys(changes).length === 0) throw refusalError(409, 'same', nothingChanged)
    checkNameAndAmount(offer, updated)
    checkOtherOffers(offers, offer, updated)
    await setOffer(tx, location_code, updated)
    await audit({
      kind: offered === isOffered ? 'offer.saved' : offered ? 'offer.offered' : 'offer.retired',
      details: { what: `${offer.name} at ${location_code}` },
      changes,
    })
    await recordFacilityChange(tx, services, location_code)
    return { saved: true }
  },
})

/**
 * Checks that the facility's other offers allow the change.
 * @throws RefusalError
 */
function checkOtherOffers(offers: readonly Offer[], offer: Offer, updated: Offer): void {
  if (updated.retiredOn === null) {
    const mayConflict = updated.name !== offer.name || offer.retiredOn !== null
    const other = mayConflict ? findConflictingOffer(offers, updated) : undefined
    if (other) throw refusalError(409, 'taken', offerNameTaken(other.name))
  } else if (reservedMeaning(offer) === 'access' && updated.amount !== offer.amount) {
    const accessFee = findOfferedAccessFee(offers)
    if (accessFee && accessFee.id !== offer.id) throw fieldError('amount', oneAccessFee(offerAmount(accessFee)))
  }
}

const offeredText = ({ retiredOn }: Offer) => (retiredOn === null ? 'yes' : 'no')

function changesOf(offer: Offer, updated: Offer): Record<string, [string, string]> {
  const texts: Record<string, [string, string]> = {
    name: [offer.name, updated.name],
    amount: [offerAmount(offer), offerAmount(updated)],
    offered: [offeredText(offer), offeredText(updated)],
  }
  return Object.fromEntries(Object.entries(texts).filter(([, [before, after]]) => before !== after))
}

/**
 * Checks that the amount is allowed, and that the name keeps its meaning and fits the amount.
 * @throws RefusalError
 */
function checkNameAndAmount(offer: Offer, { name, amount, kind }: Offer): void {
  if (amount > offer.most) throw fieldError('amount', `At most ${offerAmount({ ...offer, amount: offer.most })}.`)
  if (reservedMeaning(offer) !== reservedMeaning({ kind, name })) throw fieldError('name', reservedNameStays)
  if (amount !== offer.amount && name === offer.name && nameStatesAmount(offer))
    throw refusalError(409, 'named', amountInName)
}
