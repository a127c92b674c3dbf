/** Number of rows per page. */
export const PAGE_SIZE = 50

/** Maximum number of options in a list to choose from. */
export const MAX_OPTIONS = 150

/**
 * Returns a page of rows that were read in full.
 * @param after key of the last row of the previous page; null for the first page
 * @returns `rows`, and `next`: key of the last row, null on the last page
 */
export function paginate<Row>(all: readonly Row[], keyOf: (row: Row) => string, after: string | null) {
  const from = after === null ? 0 : all.findIndex((row) => keyOf(row) === after) + 1
  const rows = all.slice(from, from + PAGE_SIZE)
  const last = rows.at(-1)
  return { rows, next: last && all.length > from + PAGE_SIZE ? keyOf(last) : null }
}
