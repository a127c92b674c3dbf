/** Filters and sorts lists of facilities. */
import type { Facility } from '../../modules/facilities/facility.ts'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { FacilityQuote } from '../../modules/pricing/unit-type-prices.ts'
import { type FacilityView, facilityCards } from './facility-cards.ts'
import type { ListChoices } from './list-choices.ts'

export interface FacilityWithCard<Place> {
  card: FacilityView
  place: Place
}

/** Returns the facilities that have the chosen size, in the chosen order, each with its card. */
export function filterAndSortFacilities<Place extends Facility & { miles?: number }>(
  brand: BrandRecord,
  facilities: readonly Place[],
  quotes: ReadonlyMap<string, FacilityQuote>,
  { size, byPrice }: Pick<ListChoices, 'size' | 'byPrice'>,
): FacilityWithCard<Place>[] {
  const price = ({ asked, from }: FacilityView) => (size ? asked?.monthly : from) ?? Number.POSITIVE_INFINITY
  const cards = facilityCards(brand, facilities, quotes, size)
  return facilities
    .flatMap((place, index) => {
      const card = cards[index]
      return card && (!size || card.asked) ? [{ card, place }] : []
    })
    .sort((a, b) => {
      const [first, second] = [price(a.card), price(b.card)]
      return byPrice && first !== second ? first - second : 0
    })
}
