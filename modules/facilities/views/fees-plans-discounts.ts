/** Fees, insurance plans and discounts of a facility, as the setup pages show them. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import {
  loadOffers,
  nameStatesAmount,
  type Offer,
  offerAmount,
  reservedMeaning,
} from '../internal/fees-plans-discounts.ts'
import { unitTypeName } from '../rules/size-label.ts'

/** A fee, insurance plan or discount as a row of its facility's list. */
export interface ListedOffer extends Pick<Offer, 'kind' | 'id' | 'name' | 'when' | 'retiredOn'> {
  /** Amount as text: '25 %' or '$24.00'. */
  costs: string
  /** Unit type to which the offer applies, as text, or 'Every unit'. */
  appliesTo: string
}

type UnitType = Parameters<typeof unitTypeName>[0] & { unit_type_id: number }

/** Returns all offers of a facility. */
export async function loadOfferList(
  db: Kysely<Tables>,
  locationCode: string,
  unitTypes: readonly UnitType[],
): Promise<ListedOffer[]> {
  const offers = await loadOffers(db, locationCode)
  return offers.map((offer) => {
    const type = unitTypes.find(({ unit_type_id }) => unit_type_id === offer.unitTypeId)
    return {
      kind: offer.kind,
      id: offer.id,
      name: offer.name,
      when: offer.when,
      retiredOn: offer.retiredOn,
      costs: offerAmount(offer),
      appliesTo: type ? unitTypeName(type) : 'Every unit',
    }
  })
}

/** An offer as its own page shows it. */
export interface OfferPage extends Pick<Offer, 'kind' | 'id' | 'name' | 'amount' | 'byPercent' | 'when' | 'retiredOn'> {
  costs: string
  /** Amount as a form writes it: '25.00'. */
  amountText: string
  /** Whether the name states the amount, so that another amount would contradict it. */
  nameHasAmount: boolean
  /** Whether its amount is also that of the facility's other offers of the same name. */
  isAmountShared: boolean
}

/** Returns an offer of a facility; null when it has none of this kind and id. */
export async function loadOfferPage(
  db: Kysely<Tables>,
  locationCode: string,
  { kind, id }: { kind: string; id: string },
): Promise<OfferPage | null> {
  const offers = await loadOffers(db, locationCode)
  const offer = offers.find((candidate) => candidate.kind === kind && String(candidate.id) === id)
  if (!offer) return null
  return {
    kind: offer.kind,
    id: offer.id,
    name: offer.name,
    amount: offer.amount,
    byPercent: offer.byPercent,
    when: offer.when,
    retiredOn: offer.retiredOn,
    costs: offerAmount(offer),
    amountText: (offer.amount / 100).toFixed(2),
    nameHasAmount: nameStatesAmount(offer),
    isAmountShared: reservedMeaning(offer) === 'access' && offer.retiredOn === null,
  }
}
