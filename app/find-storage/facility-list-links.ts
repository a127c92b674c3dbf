import type { Choice } from './size-chips.tsx'

/** Unit sizes that the filter of a facility list offers. A facility's own page has every size. */
const sizes = [
  ['5x5', '5 × 5'],
  ['5x10', '5 × 10'],
  ['10x10', '10 × 10'],
  ['10x15', '10 × 15'],
  ['10x20', '10 × 20'],
  ['10x30', '10 × 30'],
  ['parking', 'Parking'],
] as const

export type ListChoices = ReturnType<typeof listChoices>

/**
 * Returns links that choose the unit size and the order of a list of facilities.
 * @param given the query, with `size` and `sort`; unknown values are ignored
 * @param kept other parameters of the links
 * @param unsorted name of the list's own order
 */
export function listChoices(path: string, given: URLSearchParams, kept: Record<string, string>, unsorted: string) {
  const asked = sizes.find(([value]) => value === given.get('size'))
  const size = asked?.[0] ?? ''
  const byPrice = given.get('sort') === 'price'
  const href = (change: { size?: string; byPrice?: boolean }) => {
    const query = new URLSearchParams(kept)
    const needed = change.size ?? size
    if (needed) query.set('size', needed)
    if (change.byPrice ?? byPrice) query.set('sort', 'price')
    return query.size > 0 ? `${path}?${query}` : path
  }
  const larger = asked && sizes[sizes.indexOf(asked) + 1]
  return {
    size,
    sizeName: asked?.[1] ?? '',
    byPrice,
    menu: byPrice ? 'Price' : unsorted,
    sizes: [
      { label: 'Any size', href: href({ size: '' }), current: size === '' },
      ...sizes.map(([value, name]): Choice => {
        const current = value === size
        return { label: current ? `Needs ${name}` : name, href: href({ size: value }), current }
      }),
    ],
    orders: [
      { label: unsorted, href: href({ byPrice: false }), current: !byPrice },
      { label: 'Price', href: href({ byPrice: true }), current: byPrice },
    ],
    here: href({}),
    any: href({ size: '' }),
    /** Next larger room; null when there is none. */
    larger: larger && larger[0] !== 'parking' ? { label: larger[1], href: href({ size: larger[0] }) } : null,
  }
}
