import { photoAddress } from '../../modules/facilities/rules/allowed-photo-address.ts'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import type { FacilityQuote, UnitTypeQuote } from '../../modules/pricing/views/unit-type-quotes.ts'
import { frontPath } from './facility-front-svg-files.tsx'
import { areaOf, lowestMonthlyTotal, sizeName, sizeSlug } from './filter-unit-types.ts'

/** Free unit type of a size with the lowest amount due today. */
export interface CheapestOfSize {
  label: string
  /** Address of the facility's units of the size. */
  href: string
  /** Amount due today, in cents. */
  today: number
  /** Price per month after that, in cents. */
  monthly: number
}

export interface FacilityView {
  name: string
  path: string
  /** '1184 Ralston Mill Road NE' */
  street: string
  /** 'Atlanta, GA 30308' */
  place: string
  /** '1.8 miles'; '' if the list has no searched place. */
  distance: string
  /** Monthly total of the cheapest free unit, in cents; null when none is free. */
  from: number | null
  /** Up to three free sizes, each with its lowest monthly total in cents. */
  sizes: { label: string; href: string; perMonth: number }[]
  /**
   * Free unit type of the searched size with the lowest amount due today; null when there is none or no size was
   * searched.
   */
  searchedSize: CheapestOfSize | null
  comingSoon: boolean
  /** Address of the drawn front. */
  front: string
  /** Address of the photograph; '' for none. */
  photo: string
}

const milesFormat = new Intl.NumberFormat('en-US')

/** Formats a distance: 'under 0.1 miles', '0.4 miles', '1 mile', '12.6 miles', '1,369 miles'. */
export function spellMiles(miles: number): string {
  if (miles < 0.1) return 'under 0.1\u00a0miles'
  const rounded = miles < 100 ? Math.round(miles * 10) / 10 : Math.round(miles)
  return `${milesFormat.format(rounded)}\u00a0${rounded === 1 ? 'mile' : 'miles'}`
}

const popularSizes = ['5x10', '10x10', '10x15']
const MAX_SIZES = 3

/**
 * Selects up to three free sizes for a facility's card, preferring popular sizes to the smallest other rooms, and these
 * to parking spaces. Returns them by area, parking last.
 */
function sizesOf(path: string, free: readonly UnitTypeQuote[]): FacilityView['sizes'] {
  const rank = (slug: string) => (popularSizes.includes(slug) ? 0 : slug === 'parking' ? 2 : 1)
  const smallest = [
    ...Map.groupBy(
      [...free].sort((a, b) => areaOf(a) - areaOf(b)),
      sizeSlug,
    ),
  ]
    .sort(([a], [b]) => rank(a) - rank(b))
    .slice(0, MAX_SIZES)
    .flatMap(([slug, types]) => {
      const [first] = types
      const perMonth = lowestMonthlyTotal(types)
      return first && perMonth !== null ? [{ slug, first, perMonth }] : []
    })
  return smallest
    .sort((a, b) => Number(a.slug === 'parking') - Number(b.slug === 'parking') || areaOf(a.first) - areaOf(b.first))
    .map(({ slug, first, perMonth }) => ({ label: sizeName(first), href: `${path}?size=${slug}#units`, perMonth }))
}

/** Returns a facility's free unit type of a size with the lowest amount due today; null when none is free. */
export function cheapestOfSize(
  { path }: Pick<Facility, 'path'>,
  size: string,
  unitTypes: readonly UnitTypeQuote[],
): CheapestOfSize | null {
  const [cheapest] = unitTypes
    .filter((type) => type.free > 0 && sizeSlug(type) === size)
    .sort((a, b) => a.dueToday - b.dueToday)
  return cheapest
    ? {
        label: sizeName(cheapest),
        href: `${path}?size=${size}#units`,
        today: cheapest.dueToday,
        monthly: cheapest.thenPerMonth,
      }
    : null
}

/**
 * Builds the cards of a list of facilities, in the given order.
 * @param facilities with `miles` if they were searched near a place
 * @param size unit size that was searched, such as '10x10'; '' for any
 */
export function facilityCards(
  brand: BrandRecord,
  facilities: readonly (Facility & { miles?: number })[],
  quotes: ReadonlyMap<string, FacilityQuote>,
  size = '',
): FacilityView[] {
  return facilities.map((facility): FacilityView => {
    const free = (quotes.get(facility.locationCode)?.unitTypes ?? []).filter((type) => type.free > 0)
    return {
      name: facility.name,
      path: facility.path,
      street: facility.address,
      place: `${facility.city}, ${facility.state} ${facility.zip}`,
      distance: facility.miles === undefined ? '' : spellMiles(facility.miles),
      from: lowestMonthlyTotal(free),
      sizes: sizesOf(facility.path, free),
      searchedSize: size ? cheapestOfSize(facility, size, free) : null,
      comingSoon: facility.comingSoon,
      front: frontPath(facility, brand),
      photo: photoAddress(facility.photo),
    }
  })
}
