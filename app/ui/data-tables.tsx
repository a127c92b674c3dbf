import '../styles/form-pages.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { withNoBreakSpaces } from './no-break.ts'

export interface Fact {
  label: string
  value: ReactNode
  /** Address of the page that changes the fact. */
  change?: string | undefined
  /** True when `change` is a public page, which needs a plain link because it has no scripts. */
  away?: boolean
}

export function DataList({ facts }: { facts: Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{withNoBreakSpaces(fact.value)}</dd>
          {fact.change && (
            <dd>
              <Link to={fact.change} reloadDocument={fact.away ?? false}>
                Change<span className="sr"> {fact.label.toLowerCase()}</span>
              </Link>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

export function TextFacts({ rows }: { rows: [label: string, text: string][] }) {
  return (
    <DataList
      facts={rows
        .filter(([, text]) => text !== '')
        .map(([label, text]) => ({ label, value: <span className="wrap-anywhere">{withNoBreakSpaces(text)}</span> }))}
    />
  )
}

export interface Column<Row> {
  label: string
  cell: (row: Row) => ReactNode
  right?: boolean
  /** Link that sorts by this column, and the rows' current order by it. */
  sort?: { href: string; now: 'ascending' | 'descending' | undefined }
}

/** Table with the first column as row headers. On a phone each row becomes a stack of labels and values. */
export function Table<Row>({
  caption,
  captionHidden,
  columns,
  rows,
  rowKey,
}: {
  caption: string
  captionHidden?: boolean
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string | number
}) {
  return (
    <table className="table table-stack">
      <caption className={captionHidden ? 'sr' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.label}
              scope="col"
              className={column.right ? 'right' : undefined}
              aria-sort={column.sort?.now}
            >
              {column.sort ? (
                <Link to={column.sort.href} preventScrollReset>
                  {column.label}
                  {column.sort.now && <span aria-hidden="true">{column.sort.now === 'ascending' ? ' ↑' : ' ↓'}</span>}
                </Link>
              ) : (
                column.label
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.label} scope="row">
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.label} data-label={column.label} className={column.right ? 'right num' : undefined}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const shapes = { title: 'mb-3 h-9 w-3/5', card: 'h-36 rounded-card', frame: 'h-full rounded-card' }

/** Placeholder for content that is loading: a shape, lines of text, or both. */
export function Skeleton({ lines = 0, shape }: { lines?: number; shape?: keyof typeof shapes }) {
  return (
    <div aria-hidden="true">
      {shape && <div className={`skeleton ${shapes[shape]}`} />}
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike
        <div key={index} className="skeleton my-[0.27em] h-[1em]" />
      ))}
    </div>
  )
}
