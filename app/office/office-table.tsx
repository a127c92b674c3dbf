import type { ReactNode } from 'react'
import { Form, Link, useSearchParams } from 'react-router'
import { SubmitButton } from '../ui/buttons.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PAGE_SIZE } from './list-limits-and-page-slicing.ts'

export interface ListColumn<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /** Aligns the column to the right, for numbers. */
  right?: boolean
  /** Link that sorts by this column, and the current order by it. */
  sort?: { href: string; now: 'ascending' | 'descending' | 'none' }
  /** Leaves the column out on a phone. */
  wide?: boolean
}

/** Query parameters that concern one visit of an office page and are left out of the links to further rows. */
const transientParams = ['done', 'kept', 'row', 'act']

/**
 * Link to the next rows of a list, with the URL's other parameters.
 * @param next key of the last row; null on the last page
 */
export function MoreRows({
  next,
  name = 'after',
  label = `Next ${PAGE_SIZE}`,
}: {
  next: string | number | null
  name?: 'after' | 'before' | 'leases'
  label?: string
}) {
  const [search] = useSearchParams()
  if (next === null) return null
  const otherParams = [...search].filter(([param]) => param !== name && !transientParams.includes(param))
  return (
    <p className="mt-3">
      <Link to={`?${new URLSearchParams([...otherParams, [name, String(next)]])}`}>{label}</Link>
    </p>
  )
}

/**
 * Search form that filters a list.
 * @param at chosen location codes, comma-separated, which stay in the address
 */
export const ListFilter = ({ label, search, at = '' }: { label: string; search: string; at?: string }) => (
  <Form className="office-inline office-filter">
    {at !== '' && <input type="hidden" name="at" value={at} />}
    <TextField name="q" label={label} optional maxLength={100} autoComplete="off" defaultValue={search} />
    <SubmitButton kind="secondary">Show</SubmitButton>
  </Form>
)

/**
 * Dense table whose rows may link to a page and whose columns may have sort links. j and k move between the row links.
 * @param empty text shown without rows
 */
export function OfficeTable<Row>({
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
  /** Address of the link in the row's first cell; null for a row without a link. */
  open?: (row: Row) => string | null
  actions?: (row: Row) => ReactNode
  /** Content below a row, across the table; null for a row without it. */
  below?: (row: Row) => ReactNode
  empty: string
}) {
  if (rows.length === 0) return <p className="soft">{empty}</p>
  // Without links in its rows, a table wider than its place must be scrollable by keyboard as a region.
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
                {sort ? <Link to={sort.href}>{label}</Link> : withNoBreakSpaces(label)}
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
                <ListRow row={row} columns={columns} open={open} actions={actions} />
                {under !== null && (
                  <tr className="office-below">
                    <td
                      colSpan={columns.length + (actions ? 1 : 0)}
                      className="border-b border-line px-3 pt-0 pb-3 max-[48rem]:col-span-full max-[48rem]:border-0 max-[48rem]:px-1 max-[48rem]:py-[0.2rem]"
                    >
                      {under}
                    </td>
                  </tr>
                )}
              </tbody>
            )
          })
        ) : (
          <tbody>
            {rows.map((row) => (
              <ListRow key={rowKey(row)} row={row} columns={columns} open={open} actions={actions} marked />
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
}: Pick<Parameters<typeof OfficeTable<Row>>[0], 'columns' | 'open' | 'actions'> & { row: Row; marked?: true }) {
  const href = open?.(row) ?? null
  return (
    <tr data-row={marked}>
      {columns.map(({ label, cell, right, wide }, index) => {
        const className = [right && 'right num', wide && 'wide-only'].filter(Boolean).join(' ') || undefined
        if (index > 0)
          return (
            <td key={label} className={className}>
              {withNoBreakSpaces(cell(row))}
            </td>
          )
        return (
          <th key={label} scope="row" className={className}>
            {href === null ? (
              withNoBreakSpaces(cell(row))
            ) : (
              <Link to={href} data-open>
                {withNoBreakSpaces(cell(row))}
              </Link>
            )}
          </th>
        )
      })}
      {actions && <td className="office-row-actions">{actions(row)}</td>}
    </tr>
  )
}
