import type { ReactNode } from 'react'
import { Link } from 'react-router'

export interface ListColumn<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** Figures. */
  right?: boolean
  /** The address that sorts by this column, and how it is sorted now. */
  sort?: { href: string; now: 'ascending' | 'descending' | 'none' }
  /** Left out on a phone. */
  wide?: boolean
}

/**
 * A dense table whose rows open a page: real headings, sort as links, one link to a row, which j and k walk through.
 * @param empty what is said where there are no rows
 */
export function OfficeList<Row>({
  caption,
  columns,
  rows,
  rowKey,
  open,
  actions,
  below,
  empty,
}: {
  caption: string
  columns: ListColumn<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  /** Where the row's first cell leads. */
  open?: (row: Row) => string | null
  actions?: (row: Row) => ReactNode
  /** What opens under a row, across the table; null for most. */
  below?: (row: Row) => ReactNode
  empty: string
}) {
  if (rows.length === 0) return <p className="soft">{empty}</p>
  // Where no row leads anywhere, a list wider than its place is scrolled by keyboard as a region.
  const region = open ? {} : { role: 'region', 'aria-label': caption, tabIndex: 0 }
  return (
    <div className="relative overflow-x-auto" {...region}>
      <table className="office-table">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, right, sort, wide }) => (
              <th
                key={label}
                scope="col"
                aria-sort={sort && sort.now !== 'none' ? sort.now : undefined}
                className={[right && 'right', wide && 'wide-only'].filter(Boolean).join(' ') || undefined}
              >
                {sort ? <Link to={sort.href}>{label}</Link> : label}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        {below ? (
          rows.map((row) => {
            const under = below(row)
            return (
              <tbody
                key={rowKey(row)}
                id={rowKey(row)}
                data-row
                className={under === null ? undefined : 'office-opened'}
              >
                <ListRow {...{ row, columns, open, actions }} />
                {under !== null && (
                  <tr className="office-below">
                    <td colSpan={columns.length + (actions ? 1 : 0)}>{under}</td>
                  </tr>
                )}
              </tbody>
            )
          })
        ) : (
          <tbody>
            {rows.map((row) => (
              <ListRow key={rowKey(row)} {...{ row, columns, open, actions }} marked />
            ))}
          </tbody>
        )}
      </table>
    </div>
  )
}

function ListRow<Row>({
  row,
  columns,
  open,
  actions,
  marked,
}: Pick<Parameters<typeof OfficeList<Row>>[0], 'columns' | 'open' | 'actions'> & { row: Row; marked?: true }) {
  const href = open?.(row) ?? null
  return (
    <tr data-row={marked}>
      {columns.map(({ label, cell, right, wide }, at) => {
        const className = [right && 'right num', wide && 'wide-only'].filter(Boolean).join(' ') || undefined
        if (at > 0)
          return (
            <td key={label} className={className}>
              {cell(row)}
            </td>
          )
        return (
          <th key={label} scope="row" className={className}>
            {href === null ? (
              cell(row)
            ) : (
              <Link to={href} data-open>
                {cell(row)}
              </Link>
            )}
          </th>
        )
      })}
      {actions && <td className="office-row-actions">{actions(row)}</td>}
    </tr>
  )
}
