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
import { offerName, positiveCents, refuseField } from '../internal/offer-input.ts'
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
      const turned = offered !== (offer.retiredOn === null)
      const wanted = { ...offer, name, amount, retiredOn: offered ? null : (offer.retiredOn ?? today) }
      const refused = refusalOf(offer, wanted, input.before) ?? refusalAmong(offers, offer, wanted)
      if (refused) return refused
      await setOffer(tx, location_code, wanted)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: !turned ? 'offer.saved' : offered ? 'offer.offered' : 'offer.retired',
        details: { what: `${offer.name} at ${location_code}` },
        permission: 'setup.save',
        locationCode: location_code,
        reason: input.reason,
        changes: changesOf(offer, wanted),
      })
      await recordFacilityChange(tx, services, location_code)
      return succeed({ saved: true })
    }),
})

const offeredText = ({ retiredOn }: Offer) => (retiredOn === null ? 'yes' : 'no')

function changesOf(offer: Offer, wanted: Offer): Record<string, [string, string]> {
  const of: Record<string, [string, string]> = {
    name: [offer.name, wanted.name],
    amount: [offerAmount(offer), offerAmount(wanted)],
    offered: [offeredText(offer), offeredText(wanted)],
  }
  return Object.fromEntries(Object.entries(of).filter(([, [before, after]]) => before !== after))
}

/**
 * Returns why a requested change of an offer (fee, insurance plan or discount) is refused; null where it is allowed.
 */
function refusalOf(offer: Offer, wanted: Offer, before: { name: string; amount: number; offered: boolean }) {
  const same = (a: Offer, b: Pick<Offer, 'name' | 'amount'>) => a.name === b.name && a.amount === b.amount
  if (!same(offer, before) || (offer.retiredOn === null) !== before.offered)
    return refuse(409, 'changed', `${changedSince} It is now ${offer.name}, ${offerAmount(offer)}.`)
  if (same(offer, wanted) && offer.retiredOn === wanted.retiredOn) return refuse(409, 'same', nothingChanged)
  if (wanted.amount > offer.most)
    return refuseField('amount', `At most ${offerAmount({ ...offer, amount: offer.most })}.`)
  if (reservedMeaning(offer) !== reservedMeaning(wanted)) return refuseField('name', reservedNameStays)
  const misnamed = wanted.amount !== offer.amount && wanted.name === offer.name && nameStatesAmount(offer)
  return misnamed ? refuse(409, 'named', amountInName) : null
}

/** Returns the refusal of a new name or a restored offer that conflicts with another offer; null without a conflict. */
function refusalAmong(offers: readonly Offer[], offer: Offer, wanted: Offer): Refusal | null {
  if (wanted.retiredOn !== null || (offer.retiredOn === null && offer.name === wanted.name)) return null
  const other = findConflictingOffer(offers, wanted)
  return other ? refuse(409, 'taken', offerNameTaken(other.name)) : null
}
