import { describe, expect, it } from 'vitest'
import type { SizeBand } from '../../modules/facilities/rules/size-band.ts'
import type { UnitTypeQuote } from '../../modules/pricing/views/unit-type-quotes.ts'
import { spellMiles } from './facility-cards.ts'
import { filterAndSortUnitTypes } from './filter-unit-types.ts'
import { openingHours } from './meta-tags.ts'

const type = (
  unitTypeId: number,
  band: SizeBand,
  [length, breadth]: [number, number],
  more: Partial<UnitTypeQuote> = {},
) =>
  ({
    unitTypeId,
    band,
    length,
    breadth,
    size: `${length} × ${breadth}`,
    features: ['indoor'],
    free: 9,
    dueToday: 0,
    thenPerMonth: 0,
    ...more,
  }) as UnitTypeQuote

const types = [
  type(1, 'MEDIUM', [10, 10], { thenPerMonth: 200, dueToday: 30, features: ['indoor', 'ground floor'] }),
  type(2, 'SMALL', [5, 5], { thenPerMonth: 100, dueToday: 90, free: 0 }),
  type(3, 'PARKING', [10, 20], { thenPerMonth: 80, dueToday: 80, features: ['parking', 'drive-up'] }),
  type(4, 'SMALL', [5, 10], { thenPerMonth: 120, dueToday: 20 }),
]
const listUnitTypeIds = (query: string) =>
  filterAndSortUnitTypes('/here', new URLSearchParams(query), types).shown.map((unitType) => unitType.unitTypeId)

describe('the list of unit types', () => {
  it('sorts by size, with sold-out types last', () => expect(listUnitTypeIds('')).toEqual([4, 1, 3, 2]))
  it('sorts by price', () => expect(listUnitTypeIds('sort=price')).toEqual([3, 4, 1, 2]))
  it('sorts by the amount due today', () => expect(listUnitTypeIds('sort=today')).toEqual([4, 1, 3, 2]))
  it('filters by size', () => expect(listUnitTypeIds('size=5x10')).toEqual([4]))
  it('filters by a band of sizes, as older links name it', () => expect(listUnitTypeIds('size=small')).toEqual([4, 2]))
  it('filters by kind', () => expect(listUnitTypeIds('feature=ground-floor')).toEqual([1]))
  it('filters by size and kind together', () =>
    expect(listUnitTypeIds('size=parking&feature=drive-up&sort=price')).toEqual([3]))
  it('ignores unknown filters', () => expect(listUnitTypeIds('size=huge&feature=pool&sort=mood')).toHaveLength(4))

  it('keeps the other choices in each link', () => {
    const { sizes, features, sorts } = filterAndSortUnitTypes(
      '/here',
      new URLSearchParams('size=small&sort=price'),
      types,
    )
    expect(sizes.map(({ label, href, current, note }) => [label, href, current, note])).toEqual([
      ['All', '?sort=price#units', false, 'per month'],
      ['Small', '?size=small&sort=price#units', true, '$1.20'],
      ['5 × 5', '?size=5x5&sort=price#units', false, 'All rented'],
      ['5 × 10', '?size=5x10&sort=price#units', false, '$1.20'],
      ['10 × 10', '?size=10x10&sort=price#units', false, '$2.00'],
      ['Parking', '?size=parking&sort=price#units', false, '$0.80'],
    ])
    expect(sizes.filter(({ isSoldOut }) => isSoldOut).map(({ label }) => label)).toEqual(['5 × 5'])
    expect(features[0]).toEqual({ label: 'Any kind', href: '?size=small&sort=price#units', current: true })
    expect(sorts.find((sort) => sort.current)?.label).toBe('Per month')
    expect(sorts[0]?.href).toBe('?size=small#units')
  })

  it('offers no filter where there is nothing to choose', () => {
    const alone = filterAndSortUnitTypes('/here', new URLSearchParams(), [types[1] as UnitTypeQuote])
    expect([alone.sizes, alone.features, alone.sorts]).toEqual([[], [], []])
  })
})

describe('facts in words', () => {
  it.each([
    [0.04, 'under 0.1\u00a0miles'],
    [0.97, '1\u00a0mile'],
    [4.15, '4.2\u00a0miles'],
    [99.96, '100\u00a0miles'],
    [1368.7, '1,369\u00a0miles'],
  ])('%d miles', (miles, text) => expect(spellMiles(miles)).toBe(text))

  it.each([
    ['5 AM to 9 PM every day', '05:00', '21:00'],
    ['12 AM to 11:30 PM every day', '00:00', '23:30'],
  ])('reads %s', (text, opens, closes) => expect(openingHours(text)).toMatchObject({ opens, closes }))
  it('says nothing about hours that it cannot read', () => expect(openingHours('24 hours')).toBeNull())
})
