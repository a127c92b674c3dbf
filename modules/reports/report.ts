/** A report by its name: what a page shows, and the rows of its file. */

import type { ReportCell, ReportColumn, ReportRow, ReportTable, ReportView } from '../../domain/office/report-view.ts'
import { type ReportName, reports } from '../../domain/office/reports.ts'
import { formatUs } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Asked } from './figures.ts'
import { headOf } from './named/list-heads.ts'
import { listSums } from './named/list-sums.ts'
import { type ListName, listed } from './named/listed.ts'
import { type Listed, type ListReport, sumOfColumn } from './named/lists.ts'
import { deposits, receivables, revenue, tax } from './named/money.ts'
import { collectedOccupancy, economicOccupancy, occupancy } from './named/occupancy.ts'
import { autopayAndInsurance, exceptions } from './named/people.ts'

const summed = {
  occupancy,
  'economic-occupancy': economicOccupancy,
  'collected-occupancy': collectedOccupancy,
  receivables,
  revenue,
  tax,
  deposits,
  'autopay-insurance': autopayAndInsurance,
  exceptions,
} as const satisfies Record<Exclude<ReportName, ListName>, (services: Services, asked: Asked) => Promise<ReportView>>

const isListed = (name: ReportName): name is ListName => name in listed

export async function reportView(services: Services, name: ReportName, asked: Asked): Promise<ReportView> {
  if (!isListed(name)) return summed[name](services, asked)
  const [place] = asked.places
  return asked.places.length === 1 && place ? facilityList(services, name, asked) : listSums(services, name, asked)
}

const unavailable = (day: string) =>
  `${formatUs(day)} is not available. Days are kept from the night after installation on.`

async function facilityList(services: Services, name: ListName, asked: Asked): Promise<ReportView> {
  const report: ListReport = listed[name]
  const [place] = asked.places as [Asked['places'][number]]
  const rows = await report.rows(services, place, asked)
  if (!rows) return { figures: [], tables: [], notes: [unavailable(asked.to)] }
  const { title } = reports[name]
  const isClosed = ({ row }: Listed) => name === 'aging' && row.state === 'Closed'
  const closed = rows.filter(isClosed)
  return {
    ...headOf(name, rows),
    tables: [
      tableOf(
        name === 'walk-sheet' ? place.name : title,
        report,
        closed.length === 0 ? rows : rows.filter((one) => !isClosed(one)),
      ),
      ...(closed.length > 0 ? [tableOf('Closed leases', report, closed)] : []),
    ],
    notes: [],
  }
}

function tableOf(title: string, { columns }: ListReport, rows: readonly Listed[]): ReportTable {
  const totals = totalsOf(columns, rows)
  return {
    ...{ title, columns, rows: rows.map(({ row }) => row), links: rows.map(({ link }) => link) },
    ...(totals && rows.length > 0 && { totals }),
    empty: 'There are none.',
  }
}

/** Sums of what is money; the first column says so. */
function totalsOf(columns: readonly ReportColumn[], rows: readonly Listed[]): ReportRow | null {
  if (!columns.some(({ as }) => as === 'cents')) return null
  const cell = ({ key, as }: ReportColumn, at: number): ReportCell =>
    at === 0 ? 'Together' : as === 'cents' ? sumOfColumn(rows, key) : null
  return Object.fromEntries(columns.map((column, at) => [column.key, cell(column, at)]))
}

export interface ReportFile {
  columns: readonly ReportColumn[]
  rows: AsyncIterable<readonly ReportRow[]>
}

/** The rows of a report's file: facility by facility where it lists, so that no more than one is in memory. */
export async function reportFile(services: Services, name: ReportName, asked: Asked): Promise<ReportFile> {
  if (isListed(name)) {
    const report: ListReport = listed[name]
    const facility: ReportColumn = { key: 'code', label: 'Facility', as: 'text' }
    return { columns: [facility, ...report.columns], rows: rowsOf(services, report, asked) }
  }
  const { tables } = await summed[name](services, asked)
  const table = tables.find(({ title }) => title.startsWith('By ')) ?? tables[0]
  return { columns: table?.columns ?? [], rows: once(table?.rows ?? []) }
}

async function* once(rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  yield rows
}

async function* rowsOf(services: Services, report: ListReport, asked: Asked): AsyncGenerator<ReportRow[]> {
  for (const place of asked.places) {
    const rows = (await report.rows(services, place, asked)) ?? []
    yield rows.map(({ row }) => ({ code: place.code, ...row }))
  }
}
