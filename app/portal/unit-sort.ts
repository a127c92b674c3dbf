import type { RentedUnits } from '../../modules/leases/views/rented-units.ts'

type Unit = RentedUnits['units'][number]

const columns = ['due', 'unit', 'status', 'next'] as const

export interface UnitSort {
  by: (typeof columns)[number]
  down: boolean
  /** Search text. */
  q: string
}

/**
 * Reads sorting and search from the address. '-next' sorts the latest first;
 * the default '-due' the highest amount due first.
 */
export function parseUnitSort(asked: URLSearchParams): UnitSort {
  const sort = asked.get('sort') ?? '-due'
  const by = columns.find((column) => column === sort.replace(/^-/, '')) ?? 'due'
  return { by, down: sort.startsWith('-'), q: (asked.get('q') ?? '').trim().slice(0, 60) }
}

export function sortAddress({ by, down, q }: UnitSort, column: UnitSort['by'], page?: number): string {
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  const turned = by === column && !down && page === undefined
  const sort = page === undefined ? `${turned ? '-' : ''}${column}` : `${down ? '-' : ''}${by}`
  if (sort !== '-due') query.set('sort', sort)
  if (page !== undefined && page > 1) query.set('page', String(page))
  return query.size > 0 ? `/my-units?${query}` : '/my-units'
}

const byNumber = new Intl.Collator('en-US', { numeric: true })

const order: Record<UnitSort['by'], (a: Unit, b: Unit) => number> = {
  due: (a, b) => Math.max(a.balance, 0) - Math.max(b.balance, 0),
  unit: (a, b) => byNumber.compare(a.unitNumber, b.unitNumber),
  status: (a, b) => a.status.localeCompare(b.status),
  next: (a, b) => (a.next.on < b.next.on ? -1 : a.next.on > b.next.on ? 1 : 0),
}

const plain = (text: string): string => text.toLowerCase().replace(/[×x]/g, 'x').replace(/\s+/g, '')

/** Filters units by the search text and sorts them; ties are sorted by unit number. */
export function sortedUnits(units: readonly Unit[], { by, down, q }: UnitSort): Unit[] {
  const wanted = plain(q)
  const found = units.filter(
    ({ unitNumber, leaseNumber, size, category, status }) =>
      wanted === '' ||
      [unitNumber, String(leaseNumber), size, category, status].some((text) => plain(text).includes(wanted)),
  )
  const way = down ? -1 : 1
  return found.sort((a, b) => way * order[by](a, b) || order.unit(a, b))
}
