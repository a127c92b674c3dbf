import type { Choice } from './choice-chips.tsx'

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
 * @param query the query, with `size` and `sort`; unknown values are ignored
 * @param fixedParams other parameters of the links
 * @param ownOrder name of the list's own order
 */
export function listChoices(
  path: string,
  query: URLSearchParams,
  fixedParams: Record<string, string>,
  ownOrder: string,
) {
  const chosenSize = sizes.find(([value]) => value === query.get('size'))
  const size = chosenSize?.[0] ?? ''
  const byPrice = query.get('sort') === 'price'
  const href = (change: { size?: string; byPrice?: boolean }) => {
    const params = new URLSearchParams(fixedParams)
    const newSize = change.size ?? size
    if (newSize) params.set('size', newSize)
    if (change.byPrice ?? byPrice) params.set('sort', 'price')
    return params.size > 0 ? `${path}?${params}` : path
  }
  const larger = chosenSize && sizes[sizes.indexOf(chosenSize) + 1]
  return {
    size,
    sizeName: chosenSize?.[1] ?? '',
    byPrice,
    menu: byPrice ? 'Price' : ownOrder,
    sizes: [
      { label: 'Any size', href: href({ size: '' }), current: size === '' },
      ...sizes.map(([value, name]): Choice => {
        const current = value === size
        return { label: current ? `Needs ${name}` : name, href: href({ size: value }), current }
      }),
    ],
    orders: [
      { label: ownOrder, href: href({ byPrice: false }), current: !byPrice },
      { label: 'Price', href: href({ byPrice: true }), current: byPrice },
    ],
    here: href({}),
    any: href({ size: '' }),
    /** Next larger room; null when there is none or no size is chosen. */
    larger: larger && larger[0] !== 'parking' ? { label: larger[1], href: href({ size: larger[0] }) } : null,
  }
}
