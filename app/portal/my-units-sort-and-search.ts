import { compareUnitNumbers } from '../../domain/unit-number-order.ts'
import type { RentedUnits } from '../../modules/leases/views/rented-units-of-tenant.ts'

type Unit = RentedUnits['units'][number]

const columns = ['due', 'unit', 'status', 'next'] as const

export interface UnitSort {
  by: (typeof columns)[number]
  isDescending: boolean
  /** Search text, trimmed; '' for all units. */
  q: string
}

/**
 * Reads sorting and search from the address. '-next' sorts the latest date of the next payment first; the default '-due'
 * sorts the highest amount due first.
 */
export function parseUnitSort(searchParams: URLSearchParams): UnitSort {
  const sort = searchParams.get('sort') ?? '-due'
  const by = columns.find((column) => column === sort.replace(/^-/, '')) ?? 'due'
  return { by, isDescending: sort.startsWith('-'), q: (searchParams.get('q') ?? '').trim().slice(0, 60) }
}

/**
 * Returns the address of My Units sorted by a column, in reverse if the list is already sorted by it in ascending order.
 * @param page keeps the current order and leads to this page of the list
 */
export function sortAddress({ by, isDescending, q }: UnitSort, column: UnitSort['by'], page?: number): string {
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  const isReversed = by === column && !isDescending && page === undefined
  const sort = page === undefined ? `${isReversed ? '-' : ''}${column}` : `${isDescending ? '-' : ''}${by}`
  if (sort !== '-due') query.set('sort', sort)
  if (page !== undefined && page > 1) query.set('page', String(page))
  return query.size > 0 ? `/my-units?${query}` : '/my-units'
}

const order: Record<UnitSort['by'], (a: Unit, b: Unit) => number> = {
  due: (a, b) => Math.max(a.balance, 0) - Math.max(b.balance, 0),
  unit: (a, b) => compareUnitNumbers(a.unitNumber, b.unitNumber),
  status: (a, b) => a.status.localeCompare(b.status),
  next: (a, b) => (a.next.on < b.next.on ? -1 : a.next.on > b.next.on ? 1 : 0),
}

const normalize = (text: string): string => text.toLowerCase().replace(/[×x]/g, 'x').replace(/\s+/g, '')

/** Filters units by the search text and sorts them; ties are sorted by unit number. */
export function filterAndSortUnits(units: readonly Unit[], { by, isDescending, q }: UnitSort): Unit[] {
  const query = normalize(q)
  const matches = units.filter(
    ({ unitNumber, leaseNumber, size, category, status }) =>
      query === '' ||
      [unitNumber, String(leaseNumber), size, category, status].some((text) => normalize(text).includes(query)),
  )
  const direction = isDescending ? -1 : 1
  return matches.sort((a, b) => direction * order[by](a, b) || order.unit(a, b))
}
