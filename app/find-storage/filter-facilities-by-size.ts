/** Filters and sorts lists of facilities, and finds a waitlist to offer with an empty list. */

import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import type { FacilityQuote } from '../../modules/pricing/views/unit-type-quotes.ts'
import { type FacilityView, facilityCards } from './facility-cards.ts'
import type { ListChoices } from './facility-list-links.ts'
import { sizeSlug } from './filter-unit-types.ts'

export interface FacilityWithCard<T> {
  card: FacilityView
  facility: T
}

/** Facility at which all units of the chosen size are rented, and the address of its form for the waitlist. */
export interface WaitlistLink {
  name: string
  href: string
}

/**
 * Returns the facilities with a free unit of the chosen size, or all if none is chosen, in the chosen order, each with
 * its card.
 */
export function filterAndSortFacilities<T extends Facility & { miles?: number }>(
  brand: BrandRecord,
  facilities: readonly T[],
  quotes: ReadonlyMap<string, FacilityQuote>,
  { size, byPrice }: Pick<ListChoices, 'size' | 'byPrice'>,
): FacilityWithCard<T>[] {
  const price = ({ searchedSize, from }: FacilityView) =>
    (size ? searchedSize?.monthly : from) ?? Number.POSITIVE_INFINITY
  const cards = facilityCards(brand, facilities, quotes, size)
  return facilities
    .flatMap((facility, index) => {
      const card = cards[index]
      return card && (!size || card.searchedSize) ? [{ card, facility }] : []
    })
    .sort((a, b) => {
      const first = price(a.card)
      const second = price(b.card)
      return byPrice && first !== second ? first - second : 0
    })
}

/**
 * Returns the waitlist of the first open facility with a fully rented unit type of the chosen size; null without one.
 * Call only when no facility has that size available.
 */
export function findWaitlist(
  facilities: readonly Facility[],
  quotes: ReadonlyMap<string, FacilityQuote>,
  { size }: Pick<ListChoices, 'size'>,
): WaitlistLink | null {
  for (const { locationCode, name, comingSoon } of facilities) {
    const type = comingSoon
      ? undefined
      : quotes.get(locationCode)?.unitTypes.find((type) => type.free === 0 && sizeSlug(type) === size)
    if (type) return { name, href: `/tell-me/${locationCode}/${type.unitTypeId}` }
  }
  return null
}
