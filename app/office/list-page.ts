/** So many rows stand on a page. */
export const LIST_PAGE = 50

/** A list of more is no choice, and would be most of the page: what is wanted is typed then. */
export const MOST_CHOICES = 150

/** A page of rows that were all read. @param after key of the last row of the page before; @returns `next`: the same, null on the last page */
export function pageOf<Row>(all: readonly Row[], keyOf: (row: Row) => string, after: string | null) {
  const from = after === null ? 0 : all.findIndex((row) => keyOf(row) === after) + 1
  const rows = all.slice(from, from + LIST_PAGE)
  const last = rows.at(-1)
  return { rows, next: last && all.length > from + LIST_PAGE ? keyOf(last) : null }
}
