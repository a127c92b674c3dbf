/** Loads a report by its name, for its page or its file. */

import { formatUs } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type ReportName, reportOf } from './every-report.ts'
import { type LinkedRow, type ListReport, listSums, sumOfColumn } from './internal/list-report.ts'
import type { ReportQuery } from './report-figures.ts'
import type { ReportCell, ReportColumn, ReportRow, ReportRows, ReportTable, ReportView } from './rules/report-format.ts'

/** Limits of a report: number of facilities, rows on a page, and rows on a printed sheet. */
const MOST_FACILITIES = 50
const MOST_ROWS = 200
const MOST_PRINTED = 1000

/**
 * Loads a page of a report.
 * @param row number of the first row, from 1
 */
export async function reportView(
  services: Services,
  name: ReportName,
  asked: ReportQuery,
  row: number,
): Promise<ReportView> {
  const report = reportOf(name)
  if (asked.places.length === 1)
    return 'rows' in report ? facilityList(services, report, asked, row) : report.view(services, asked)
  const rows = pageOf(row, MOST_FACILITIES, asked.places.length)
  const shown = { ...asked, rows }
  if ('rows' in report) return { ...(await listSums(services, report, shown)), rows: pages(rows) }
  return { ...(await report.view(services, shown)), rows: report.rowsAre === 'people' ? undefined : pages(rows) }
}

/** Returns the paging of a report's rows; undefined when they all fit on one page. */
const pages = (rows: ReportRows): ReportRows | undefined => (rows.all > rows.most ? rows : undefined)

/**
 * Returns the range of rows of the page that has row `row` (from 1); the last page's when there are fewer rows.
 * @param most rows per page
 * @param all number of rows
 */
function pageOf(row: number, most: number, all: number): ReportRows {
  const at = Math.max(Math.min(row, all) - 1, 0)
  return { from: at - (at % most), most, all }
}

const unavailable = (day: string) =>
  `${formatUs(day)} is not available. Days are kept from the night after installation on.`

async function facilityList(
  services: Services,
  report: ListReport,
  asked: ReportQuery,
  row: number,
): Promise<ReportView> {
  const { apart, printed } = report
  const [place] = asked.places as [ReportQuery['places'][number]]
  const known = await report.rows(services, place, asked)
  if (!known) return { figures: [], tables: [], notes: [unavailable(asked.to)] }
  const isApart = ({ row }: LinkedRow) => apart?.is(row) === true
  const [below = [], own = []] = [true, false].map((is) => known.filter((one) => isApart(one) === is))
  const rows = pageOf(row, printed ? MOST_PRINTED : MOST_ROWS, known.length)
  const tables = [
    tableOf(printed ? place.name : report.title, report, own, rows),
    tableOf(apart?.title ?? '', report, below, { ...rows, from: rows.from - own.length }),
  ]
  const shown = tables.filter(({ rows }) => rows.length > 0)
  return {
    ...(report.head?.(known) ?? { figures: [] }),
    tables: shown.length > 0 ? shown : tables.slice(0, 1),
    rows: pages(rows),
    notes: [],
  }
}

/** Returns a page of a list with the sums of all its rows. */
function tableOf(title: string, { columns }: ListReport, all: readonly LinkedRow[], of: ReportRows): ReportTable {
  const totals = totalsOf(columns, all)
  const rows = all.slice(Math.max(of.from, 0), Math.max(of.from + of.most, 0))
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

/** Columns and rows of a report's file. */
export interface ReportFile {
  columns: readonly ReportColumn[]
  rows: AsyncIterable<readonly ReportRow[]>
}

/** Returns the rows of a report's file. Lists are read facility by facility to bound memory. */
export async function reportFile(services: Services, name: ReportName, asked: ReportQuery): Promise<ReportFile> {
  const report = reportOf(name)
  if ('rows' in report) {
    const facility: ReportColumn = { key: 'code', label: 'Facility', as: 'text' }
    return { columns: [facility, ...report.columns], rows: rowsOf(services, report, asked) }
  }
  const { tables } = await report.view(services, asked)
  const table = tables.find(({ title }) => title.startsWith('By ')) ?? tables[0]
  return { columns: table?.columns ?? [], rows: once(table?.rows ?? []) }
}

async function* once(rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  yield rows
}

async function* rowsOf(services: Services, report: ListReport, asked: ReportQuery): AsyncGenerator<ReportRow[]> {
  for (const place of asked.places) {
    const rows = (await report.rows(services, place, asked)) ?? []
    yield rows.map(({ row }) => ({ code: place.code, ...row }))
  }
}
