import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { loadToday } from '../facility-price-facts.ts'
import {
  findConflictingOffer,
  loadOffers,
  nameStatesAmount,
  type Offer,
  offerAmount,
  offerKinds,
  reservedMeaning,
  setOffer,
} from '../fees-plans-discounts.ts'
import { offerName, positiveCents, refuseField } from '../internal/fee-plan-discount-input.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../setup-lock.ts'
import { amountInName, nothingChanged, offerNameTaken, reservedNameStays } from '../texts/setup.ts'

/** Changes a fee's, plan's or discount's name, amount and availability. */
export const SaveOffer = internalOperation({
  name: 'SaveOffer',
  access: { staff: mayAtFacility('setup.save') },
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(offerKinds),
    id: v.pipe(v.number(), v.integer()),
    name: offerName,
    amount: positiveCents,
    offered: v.boolean(),
    /** Values that the form showed. */
    before: v.object({ name: plainLine, amount: v.number(), offered: v.boolean() }),
    reason: setupReason,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      kind: 'fee',
      id: 1,
      name: 'Administration Fee',
      amount: 2500,
      offered: true,
      before: { name: 'Administration Fee', amount: 1800, offered: true },
      reason: 'New price list',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code, kind, name, amount, offered } = input
      await lockFacility(tx, location_code)
      const offers = await loadOffers(tx, location_code)
      const offer = offers.find((offer) => offer.kind === kind && offer.id === input.id)
      const today = await loadToday(tx, services, location_code)
      if (!offer || today === undefined) return recordNotFound
      const isSwitched = offered !== (offer.retiredOn === null)
      const updated = { ...offer, name, amount, retiredOn: offered ? null : (offer.retiredOn ?? today) }
      const refusal = refusalOf(offer, updated, input.before) ?? conflictRefusal(offers, offer, updated)
      if (refusal) return refusal
      await setOffer(tx, location_code, updated)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: !isSwitched ? 'offer.saved' : offered ? 'offer.offered' : 'offer.retired',
        details: { what: `${offer.name} at ${location_code}` },
        permission: 'setup.save',
        locationCode: location_code,
        reason: input.reason,
        changes: changesOf(offer, updated),
      })
      await recordFacilityChange(tx, services, location_code)
      return succeed({ saved: true })
    }),
})

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
 * Returns why a requested change of an offer (fee, insurance plan or discount) is refused; null where it is allowed.
 */
function refusalOf(offer: Offer, updated: Offer, before: { name: string; amount: number; offered: boolean }) {
  const isSame = (a: Offer, b: Pick<Offer, 'name' | 'amount'>) => a.name === b.name && a.amount === b.amount
  if (!isSame(offer, before) || (offer.retiredOn === null) !== before.offered)
    return refuse(409, 'changed', `${changedSince} It is now ${offer.name}, ${offerAmount(offer)}.`)
  if (isSame(offer, updated) && offer.retiredOn === updated.retiredOn) return refuse(409, 'same', nothingChanged)
  if (updated.amount > offer.most)
    return refuseField('amount', `At most ${offerAmount({ ...offer, amount: offer.most })}.`)
  if (reservedMeaning(offer) !== reservedMeaning(updated)) return refuseField('name', reservedNameStays)
  const contradictsName = updated.amount !== offer.amount && updated.name === offer.name && nameStatesAmount(offer)
  return contradictsName ? refuse(409, 'named', amountInName) : null
}

/** Returns the refusal of a new name or a restored offer that conflicts with another offer; null without a conflict. */
function conflictRefusal(offers: readonly Offer[], offer: Offer, updated: Offer): Refusal | null {
  if (updated.retiredOn !== null || (offer.retiredOn === null && offer.name === updated.name)) return null
  const other = findConflictingOffer(offers, updated)
  return other ? refuse(409, 'taken', offerNameTaken(other.name)) : null
}
