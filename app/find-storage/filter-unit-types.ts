import { keysOf } from '../../domain/typed-keys.ts'
import { type SizeBand, sizeBands } from '../../modules/facilities/rules/size-band.ts'
import type { UnitTypeQuote } from '../../modules/pricing/views/unit-type-quotes.ts'
import { formatCents } from '../ui/money.tsx'
import type { Choice } from './choice-chips.tsx'

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export const bandName = (band: SizeBand): string => band.charAt(0) + band.slice(1).toLowerCase()

export function featureName(feature: string): string {
  return feature === 'climate' ? 'Climate controlled' : feature.charAt(0).toUpperCase() + feature.slice(1)
}

export const areaOf = ({ length, breadth }: UnitTypeQuote) => length * breadth

/** Returns the size as URLs write it, such as '10x15' with the smaller side first; 'parking' for a parking space. */
export const sizeSlug = ({ band, length, breadth }: Pick<UnitTypeQuote, 'band' | 'length' | 'breadth'>): string =>
  band === 'PARKING' ? slug(band) : `${Math.min(length, breadth)}x${Math.max(length, breadth)}`

export const sizeName = (type: UnitTypeQuote): string => (type.band === 'PARKING' ? bandName(type.band) : type.size)

/** Returns the monthly total of the cheapest free unit, in cents; null when none is free. */
export function lowestMonthlyTotal(types: readonly UnitTypeQuote[]): number | null {
  const prices = types.filter(({ free }) => free > 0).map(({ thenPerMonth }) => thenPerMonth)
  return prices.length > 0 ? Math.min(...prices) : null
}

const orders = {
  size: { label: 'Size', by: areaOf },
  price: { label: 'Per month', by: (type) => type.thenPerMonth },
  today: { label: 'Due today', by: (type) => type.dueToday },
} satisfies Record<string, { label: string; by: (type: UnitTypeQuote) => number }>

/** Returns each size of the units once with its lowest price, after the size band that an older link names, if any. */
function sizesOf(types: readonly UnitTypeQuote[], requestedSlug: string, isOpenForRent: boolean) {
  const bySize = [...Map.groupBy([...types].sort(bySizeAndBand), sizeSlug)]
  const bands = sizeBands
    .filter((band) => slug(band) === requestedSlug && band !== 'PARKING')
    .map((band): [string, UnitTypeQuote[]] => [requestedSlug, types.filter((type) => type.band === band)])
  return [...bands, ...bySize].flatMap(([value, sizeTypes]) => {
    const [first] = sizeTypes
    if (!first) return []
    // A facility that is not open yet shows its planned price.
    const lowestPrice = isOpenForRent
      ? lowestMonthlyTotal(sizeTypes)
      : Math.min(...sizeTypes.map(({ thenPerMonth }) => thenPerMonth))
    return {
      value,
      label: value === slug(first.band) ? bandName(first.band) : sizeName(first),
      note: lowestPrice === null ? 'All rented' : formatCents(lowestPrice),
      isSoldOut: lowestPrice === null,
      has: (type: UnitTypeQuote) => sizeTypes.includes(type),
    }
  })
}

const bySizeAndBand = (a: UnitTypeQuote, b: UnitTypeQuote) =>
  Number(a.band === 'PARKING') - Number(b.band === 'PARKING') || areaOf(a) - areaOf(b)

/**
 * Filters and sorts unit types, sold-out ones last, and returns the links that change filters and order. It returns no
 * links for a single size, for a single feature, or for the order of a single unit type.
 * @param params `size`, `feature` and `sort`; unknown values are ignored
 * @param isOpenForRent false while the facility is not open yet
 */
export function filterAndSortUnitTypes(
  path: string,
  params: URLSearchParams,
  types: UnitTypeQuote[],
  isOpenForRent = true,
) {
  const sizes = sizesOf(types, params.get('size') ?? '', isOpenForRent)
  const features = [...new Set(types.flatMap((type) => type.features))].filter((name) => name !== 'parking').sort()
  const size = sizes.find(({ value }) => value === params.get('size'))
  const feature = features.find((name) => slug(name) === params.get('feature'))
  const sort = keysOf(orders).find((name) => name === params.get('sort')) ?? 'size'
  const href = (change: { size?: string; feature?: string; sort?: string }) => {
    const query = new URLSearchParams()
    const filters = {
      size: change.size ?? size?.value ?? '',
      feature: change.feature ?? (feature ? slug(feature) : ''),
      sort: change.sort ?? sort,
    }
    if (filters.size) query.set('size', filters.size)
    if (filters.feature) query.set('feature', filters.feature)
    if (filters.sort !== 'size') query.set('sort', filters.sort)
    return `${query.size > 0 ? `?${query}` : path}#units`
  }
  const { by } = orders[sort]
  const shown = types
    .filter((type) => !size || size.has(type))
    .filter((type) => !feature || type.features.includes(feature))
    .sort(
      (a, b) =>
        Number(b.free > 0) - Number(a.free > 0) ||
        by(a) - by(b) ||
        areaOf(a) - areaOf(b) ||
        a.unitTypeId - b.unitTypeId,
    )
  const choice = (label: string, change: Parameters<typeof href>[0], current: boolean): Choice => ({
    label,
    href: href(change),
    current,
  })
  return {
    shown,
    all: types.length,
    sizes:
      sizes.length < 2
        ? []
        : [
            { label: 'All', href: href({ size: '' }), current: !size, note: 'per month' },
            ...sizes.map(({ value, label, note, isSoldOut }): Choice => {
              const current = value === size?.value
              return { label, href: href({ size: value }), current, note, isSoldOut }
            }),
          ],
    features:
      features.length < 2
        ? []
        : [
            choice('Any kind', { feature: '' }, !feature),
            ...features.map((name) => choice(featureName(name), { feature: slug(name) }, name === feature)),
          ],
    sorts:
      types.length < 2
        ? []
        : Object.entries(orders).map(([name, { label }]) => choice(label, { sort: name }, name === sort)),
  }
}
