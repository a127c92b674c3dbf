/** Shape of a report for pages and files, and the formats of its cells. */
import { type Cents, format, toWire } from '../../../domain/money.ts'
import { formatUs, type IsoDate, isValid } from '../../../domain/plain-date.ts'
import { formatRate } from '../../../domain/sales-tax.ts'

/**
 * Kind of a cell's value. 'share' is a part of 1; 'area' hundredths of a square foot; 'rate' a tax rate in hundredths
 * of a percent; 'times' a multiple of the peers' rate; 'day' a `YYYY-MM-DD`.
 */
export type CellKind = 'text' | 'cents' | 'count' | 'share' | 'day' | 'area' | 'rate' | 'times'

/** A column of a report. */
export interface ReportColumn {
  key: string
  label: string
  as: CellKind
  /** True if the column is hidden on phones. */
  wide?: true
}

export type ReportCell = string | number | null
export type ReportRow = Record<string, ReportCell>

/** A table of a report. */
export interface ReportTable {
  title: string
  columns: readonly ReportColumn[]
  rows: ReportRow[]
  totals?: ReportRow
  empty: string
  /** Link targets of the rows' first cells, in the order of the rows. */
  links?: (string | null)[]
  /** Number of rows on all pages; that of `rows` if left out. */
  all?: number
  /** True for the table that the report's file has. A list report marks none, since its file has all of its rows. */
  isFile?: boolean
}

/** A figure above a report's table. */
export interface ReportFigure {
  label: string
  value: number | null
  as: CellKind
  explanation?: string
}

/** A line chart of a report, by day. */
export interface ReportChart {
  label: string
  as: 'share' | 'cents'
  days: IsoDate[]
  lines: { label: string; values: (number | null)[] }[]
}

/** Check of a report that two of its sums are equal, with the difference in cents. */
export interface ReportCheck {
  statement: string
  difference: Cents
}

/** Rows of a page: the first one, counted from 0, at most how many, and the number of rows of the whole list. */
export interface ReportRows {
  from: number
  most: number
  all: number
}

/** A report in the form in which its page shows it. */
export interface ReportView {
  /** Range of rows on this page, counted across the report's list; absent if one page has all rows. */
  rows?: ReportRows
  figures: ReportFigure[]
  chart?: ReportChart
  check?: ReportCheck
  tables: ReportTable[]
  notes: string[]
}

/** Columns and rows of a report's file. */
export interface ReportFile {
  columns: readonly ReportColumn[]
  rows: AsyncIterable<readonly ReportRow[]>
}

/** A report's file, with its name and the staff member who exported it. */
export interface ExportedReport extends ReportFile {
  /** File name without extension. */
  fileName: string
  by: string
}

/** Returns part ÷ whole; null if the whole is 0. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const percent = (share: number) => `${(share * 100).toFixed(1)}%`
const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** Formats a cell for people: '$1,234.50', '87.5%', '11/20/2026'; '' for an empty cell. */
export function cellText(value: ReportCell | undefined, as: CellKind): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'string') return as === 'day' && isValid(value) ? formatUs(value) : value
  if (as === 'cents') return format(value).replace('-', '−')
  if (as === 'share') return percent(value)
  if (as === 'rate') return formatRate(value)
  if (as === 'times') return `${value.toFixed(1)}×`
  return numberFormat.format(as === 'area' ? value / 100 : value)
}

/** Formats a cell for a file that programs read: '1234.50', '87.50', '2026-11-20'. */
export function cellOfFile(value: ReportCell | undefined, as: CellKind): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (as === 'cents') return toWire(value)
  if (as === 'share') return (value * 100).toFixed(2)
  if (as === 'rate' || as === 'area') return String(value / 100)
  return as === 'times' ? value.toFixed(2) : String(value)
}
