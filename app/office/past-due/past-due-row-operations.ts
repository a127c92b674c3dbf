/** Operations on a row of the past-due list, and the list's addresses. */

import { keysOf } from '../../../domain/typed-keys.ts'
import {
  type PastDueFilter,
  type PastDueOrder,
  pastDueFilters,
} from '../../../modules/collections/rules/past-due-calls-and-promises.ts'

export const rowActs = {
  called: { letter: 'c', label: 'Called', permission: 'note.write' },
  promise: { letter: 'p', label: 'Promise', permission: 'note.write' },
  settle: { letter: 's', label: 'Settlement link', permission: 'balance.settle' },
  note: { letter: 'n', label: 'Note', permission: 'note.write' },
  case: { letter: 'o', label: 'Open case', permission: 'lien.step' },
} as const
export type RowAct = keyof typeof rowActs
export const rowActNames = keysOf(rowActs)

export const isRowAct = (text: string | null): text is RowAct => text !== null && Object.hasOwn(rowActs, text)

/** Query parameters of the past-due list: filter, order, cursor and facilities. */
export interface PastDueQuery {
  filter: PastDueFilter
  order: PastDueOrder
  after: string | null
  at: string | null
}

export const parsePastDueQuery = ({ searchParams: params }: URL): PastDueQuery => ({
  filter: pastDueFilters.find((pastDueFilter) => pastDueFilter === params.get('show')) ?? 'to call',
  order: params.get('sort') === 'owed' ? 'owed' : 'days',
  after: params.get('after'),
  at: params.get('at'),
})

/**
 * Returns the URL of the past-due list with the given choices.
 * @param more further parameters, such as `row` and `act`
 */
export function listAddress(listQuery: Partial<PastDueQuery>, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    ...(listQuery.at && { at: listQuery.at }),
    ...(listQuery.filter && listQuery.filter !== 'to call' && { show: listQuery.filter }),
    ...(listQuery.order === 'owed' && { sort: 'owed' }),
    ...(listQuery.after && { after: listQuery.after }),
    ...more,
  }).toString()
  return `/office/past-due${query === '' ? '' : `?${query}`}`
}
