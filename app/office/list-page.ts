/** Number of rows per page. */
export const LIST_PAGE = 50

/** Maximum number of options in a list; with more, the value is typed. */
export const MOST_CHOICES = 150

/**
 * Returns a page of rows that were read in full.
 * @param after key of the last row of the previous page
 * @returns `rows`, and `next`: key of the last row, null on the last page
 */
export function pageOf<Row>(all: readonly Row[], keyOf: (row: Row) => string, after: string | null) {
  const from = after === null ? 0 : all.findIndex((row) => keyOf(row) === after) + 1
  const rows = all.slice(from, from + LIST_PAGE)
  const last = rows.at(-1)
  return { rows, next: last && all.length > from + LIST_PAGE ? keyOf(last) : null }
}
