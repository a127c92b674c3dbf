/** Loads a report by its name, for its page or its file. */

import { formatUs } from '../../../domain/plain-date.ts'
import { requireValue } from '../../../domain/require-value.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type ReportName, reportOf } from '../every-report.ts'
import type {
  ReportCell,
  ReportColumn,
  ReportFile,
  ReportRow,
  ReportRows,
  ReportTable,
  ReportView,
} from '../rules/report-format.ts'
import { type LinkedRow, type ListReport, loadListSums, sumOfColumn } from './list-report.ts'
import type { ReportQuery } from './read-snapshot-figures.ts'

/** Maximum number of facilities on a page. */
const FACILITIES_PER_PAGE = 50
/** Maximum number of units or leases on a page. */
const MAX_ROWS = 200
/** Maximum number of units or leases on a page of a report to be printed. */
const MAX_PRINTED_ROWS = 1000

/**
 * Loads a page of a report.
 * @param row number of the first row, from 1
 */
export async function loadReportView(
  services: Services,
  name: ReportName,
  query: ReportQuery,
  row: number,
): Promise<ReportView> {
  const report = reportOf(name)
  if (query.places.length === 1)
    return 'rows' in report ? facilityList(services, report, query, row) : report.view(services, query)
  const rows = pageOf(row, FACILITIES_PER_PAGE, query.places.length)
  const pageQuery = { ...query, rows }
  if ('rows' in report) return { ...(await loadListSums(services, report, pageQuery)), rows: pagingOf(rows) }
  return { ...(await report.view(services, pageQuery)), rows: report.rowsAre === 'people' ? undefined : pagingOf(rows) }
}

/** Returns the paging of a report's rows; undefined when they all fit on one page. */
const pagingOf = (rows: ReportRows): ReportRows | undefined => (rows.all > rows.most ? rows : undefined)

/**
 * Returns the range of rows of the page that has row `row` (from 1); the range of the last page when there are fewer
 * rows.
 * @param most rows per page
 * @param all number of rows
 */
function pageOf(row: number, most: number, all: number): ReportRows {
  const at = Math.max(Math.min(row, all) - 1, 0)
  return { from: at - (at % most), most, all }
}

const unavailableNote = (day: string) =>
  `${formatUs(day)} is not available. Days are kept from the night after installation on.`

async function facilityList(
  services: Services,
  report: ListReport,
  query: ReportQuery,
  row: number,
): Promise<ReportView> {
  const { separateTable, printed } = report
  const place = requireValue(query.places[0], 'facility of the report')
  const allRows = await report.rows(services, place, query)
  if (!allRows) return { figures: [], tables: [], notes: [unavailableNote(query.to)] }
  const isSeparate = ({ row }: LinkedRow) => separateTable?.includes(row) === true
  const [below = [], mainRows = []] = [true, false].map((isBelow) =>
    allRows.filter((linked) => isSeparate(linked) === isBelow),
  )
  const rows = pageOf(row, printed ? MAX_PRINTED_ROWS : MAX_ROWS, allRows.length)
  const tables = [
    tableOf(printed ? place.name : report.title, report, mainRows, rows),
    tableOf(separateTable?.title ?? '', report, below, { ...rows, from: rows.from - mainRows.length }),
  ]
  const filledTables = tables.filter(({ rows }) => rows.length > 0)
  return {
    ...(report.head?.(allRows) ?? { figures: [] }),
    tables: filledTables.length > 0 ? filledTables : tables.slice(0, 1),
    rows: pagingOf(rows),
    notes: [],
  }
}

/** Returns a page of a list with the sums of all its rows. */
function tableOf(title: string, { columns }: ListReport, all: readonly LinkedRow[], range: ReportRows): ReportTable {
  const totals = totalsOf(columns, all)
  const rows = all.slice(Math.max(range.from, 0), Math.max(range.from + range.most, 0))
  return {
    title,
    columns,
    rows: rows.map(({ row }) => row),
    links: rows.map(({ link }) => link),
    all: all.length,
    ...(totals && rows.length > 0 && { totals }),
    empty: 'There are none.',
  }
}

/** Returns the sums of the money columns, labeled in the first column; null without any. */
function totalsOf(columns: readonly ReportColumn[], rows: readonly LinkedRow[]): ReportRow | null {
  if (!columns.some(({ as }) => as === 'cents')) return null
  const cell = ({ key, as }: ReportColumn, at: number): ReportCell =>
    at === 0 ? 'Together' : as === 'cents' ? sumOfColumn(rows, key) : null
  return Object.fromEntries(columns.map((column, at) => [column.key, cell(column, at)]))
}

/**
 * Returns the rows of a report's file. Lists are read facility by facility to bound memory. Of another report the file
 * has the table that its view marks with `isFile`.
 */
export async function loadReportFile(services: Services, name: ReportName, query: ReportQuery): Promise<ReportFile> {
  const report = reportOf(name)
  if ('rows' in report) {
    const facility: ReportColumn = { key: 'code', label: 'Facility', as: 'text' }
    return { columns: [facility, ...report.columns], rows: rowsOf(services, report, query) }
  }
  const { tables } = await report.view(services, query)
  const table = requireValue(
    tables.find(({ isFile }) => isFile),
    'table of the file',
  )
  return { columns: table.columns, rows: yieldOnce(table.rows) }
}

async function* yieldOnce(rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  yield rows
}

async function* rowsOf(services: Services, report: ListReport, query: ReportQuery): AsyncGenerator<ReportRow[]> {
  for (const place of query.places) {
    const rows = (await report.rows(services, place, query)) ?? []
    yield rows.map(({ row }) => ({ code: place.code, ...row }))
  }
}
