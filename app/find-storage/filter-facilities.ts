/** Filters and sorts lists of facilities. */
import type { Facility } from '../../modules/facilities/facility.ts'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { FacilityQuote } from '../../modules/pricing/unit-type-prices.ts'
import { type FacilityView, facilityCards } from './facility-cards.ts'
import type { ListChoices } from './facility-list-links.ts'
import { sizeSlug } from './unit-list.ts'

export interface FacilityWithCard<Place> {
  card: FacilityView
  place: Place
}

/** Facility at which all units of the chosen size are rented, and the address of its form for the waitlist. */
export interface Waitlist {
  name: string
  href: string
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

/** Returns the waitlist of the first facility that has the chosen size, all rented now; null when there is none. */
export function findWaitlist(
  facilities: readonly Facility[],
  quotes: ReadonlyMap<string, FacilityQuote>,
  { size }: Pick<ListChoices, 'size'>,
): Waitlist | null {
  for (const { locationCode, name, comingSoon } of facilities) {
    const type = comingSoon
      ? undefined
      : quotes.get(locationCode)?.unitTypes.find((type) => type.free === 0 && sizeSlug(type) === size)
    if (type) return { name, href: `/tell-me/${locationCode}/${type.unitTypeId}` }
  }
  return null
}
