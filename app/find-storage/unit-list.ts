import { type SizeBand, sizeBands } from '../../modules/facilities/rules/unit-type.ts'
import type { UnitTypeQuote } from '../../modules/pricing/unit-type-prices.ts'

export interface Choice {
  label: string
  href: string
  current: boolean
}

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export const bandName = (band: SizeBand): string => band.charAt(0) + band.slice(1).toLowerCase()

export function featureName(feature: string): string {
  return feature === 'climate' ? 'Climate controlled' : feature.charAt(0).toUpperCase() + feature.slice(1)
}

const area = (type: UnitTypeQuote) => type.length * type.breadth

const orders: Record<string, { label: string; by: (type: UnitTypeQuote) => number }> = {
  size: { label: 'Size', by: area },
  price: { label: 'Per month', by: (type) => type.thenPerMonth },
  today: { label: 'Due today', by: (type) => type.dueToday },
}

/** @param params `size`, `feature`, `sort` of the address; unknown values count as not given. @returns sold-out types last */
export function unitList(path: string, params: URLSearchParams, types: UnitTypeQuote[]) {
  const bands = sizeBands.filter((band) => types.some((type) => type.band === band))
  const features = [...new Set(types.flatMap((type) => type.features))].filter((name) => name !== 'parking').sort()
  const chosen = {
    size: bands.find((band) => slug(band) === params.get('size')),
    feature: features.find((name) => slug(name) === params.get('feature')),
    sort: Object.keys(orders).find((name) => name === params.get('sort')) ?? 'size',
  }
  const href = (change: { size?: string; feature?: string; sort?: string }) => {
    const query = new URLSearchParams()
    const size = change.size ?? (chosen.size ? slug(chosen.size) : '')
    const feature = change.feature ?? (chosen.feature ? slug(chosen.feature) : '')
    const sort = change.sort ?? chosen.sort
    if (size) query.set('size', size)
    if (feature) query.set('feature', feature)
    if (sort !== 'size') query.set('sort', sort)
    return `${query.size > 0 ? `?${query}` : path}#units`
  }
  const { by } = orders[chosen.sort] as { by: (type: UnitTypeQuote) => number }
  const shown = types
    .filter((type) => !chosen.size || type.band === chosen.size)
    .filter((type) => !chosen.feature || type.features.includes(chosen.feature))
    .sort(
      (a, b) =>
        Number(b.free > 0) - Number(a.free > 0) || by(a) - by(b) || area(a) - area(b) || a.unitTypeId - b.unitTypeId,
    )
  const choices = (all: string, key: 'size' | 'feature', names: [string, string, boolean][]): Choice[] =>
    names.length < 2
      ? []
      : [
          { label: all, href: href({ [key]: '' }), current: !chosen[key] },
          ...names.map(([value, label, current]) => ({ label, href: href({ [key]: value }), current })),
        ]
  return {
    shown,
    all: types.length,
    sizes: choices(
      'All sizes',
      'size',
      bands.map((band) => [slug(band), bandName(band), band === chosen.size]),
    ),
    features: choices(
      'Any kind',
      'feature',
      features.map((name) => [slug(name), featureName(name), name === chosen.feature]),
    ),
    sorts:
      types.length < 2
        ? []
        : Object.entries(orders).map(([name, { label }]) => ({
            label,
            href: href({ sort: name }),
            current: name === chosen.sort,
          })),
  }
}
