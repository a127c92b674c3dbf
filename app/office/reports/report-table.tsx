import { Link } from 'react-router'
import {
  cellText,
  type ReportColumn,
  type ReportRow,
  type ReportTable as Table,
} from '../../../modules/reports/rules/report-format.ts'

const classOf = ({ as, wide }: ReportColumn): string | undefined =>
  [as !== 'text' && as !== 'day' && 'right num', wide && 'wide-only'].filter(Boolean).join(' ') || undefined

function Cells({ columns, row, link }: { columns: readonly ReportColumn[]; row: ReportRow; link: string | null }) {
  return columns.map((column, index) => {
    const text = cellText(row[column.key], column.as)
    if (index > 0)
      return (
        <td
          key={column.key}
          className={classOf(column)}
          data-zero={row[column.key] === 0 || undefined}
          // An empty box to fill in on the printed walk sheet.
          data-box={column.key === 'seen' || undefined}
        >
          {text}
        </td>
      )
    return (
      <th key={column.key} scope="row" className={classOf(column)}>
        {link === null ? (
          text
        ) : (
          <Link to={link} data-open>
            {text}
          </Link>
        )}
      </th>
    )
  })
}

/** Table of a report, with its totals if it has any; a sentence instead when it has no rows. */
export function ReportTable({ table }: { table: Table }) {
  const { title, columns, rows, links, totals, empty } = table
  if (rows.length === 0) return <p className="soft">{empty}</p>
  return (
    // A table wider than the screen scrolls sideways, by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <section className="overflow-x-auto" aria-label={title} tabIndex={0}>
      <table className={`office-table report-table ${columns.length < 5 ? 'max-w-[40rem]' : ''}`}>
        <caption className="sr">{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report may have two equal rows
            <tr key={index} data-row>
              <Cells columns={columns} row={row} link={links?.[index] ?? null} />
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              <Cells columns={columns} row={totals} link={null} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
