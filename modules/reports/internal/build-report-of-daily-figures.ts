/** Builds reports of daily figures from their declarations. */

import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { ReportChart, ReportTable, ReportView } from '../rules/report-format.ts'
import { figureTable, type SumColumn } from './figure-table.ts'
import {
  closingFigure,
  type Figure,
  type FigureData,
  loadFigures,
  missingDays,
  type ReportQuery,
  type Sums,
  sumOfFlow,
} from './read-snapshot-figures.ts'

/** Period of a report. 'span': first to last day; 'day': end of a day; 'now': current state. */
type ReportPeriod = 'span' | 'day' | 'now'

/** Entry of the list of reports, with the permission that opens the report. */
export interface ReportDescription {
  title: string
  about: string
  period: ReportPeriod
  group: 'Units and rents' | 'Money' | 'People and work'
  /** Permission that opens the report to staff members without `report.read`. */
  alternativePermission?: Permission
}

/** A report whose `view` computes the tables and figures of its page from stored days, and from today if requested. */
export interface ViewReport extends ReportDescription {
  view(services: Services, query: ReportQuery): Promise<ReportView>
  /** Set when rows are people instead of facilities; such a report has one page. */
  rowsAre?: 'people'
}

interface ReportData<F extends Figure> {
  services: Services
  query: ReportQuery
  read: FigureData<F>
  /** Sums of states over all facilities, each at its last known day in the span. */
  state: Sums<F>
  /** Sums of flows over all facilities, within the span. */
  flow: Sums<F>
}

/** Parts of a report's page other than its table by facility or by day. */
interface ReportParts extends Pick<ReportView, 'figures' | 'check'> {
  chart?: Omit<ReportChart, 'days'>
  above?: ReportTable[]
  below?: ReportTable[]
  notes?: string[]
}

interface FigureReport<F extends Figure> extends ReportDescription {
  /** Figures that the report loads. */
  reads: readonly F[]
  /** True for a report of ledger figures alone, which are known also of a missed day. */
  missed?: true
  columns: readonly SumColumn<NoInfer<F>>[]
  /** Whether the table ends with totals: always, or only for several facilities; never when omitted. */
  totals?: 'always' | 'of several'
  /** Builds the figures, check, chart, further tables and notes of the page from the loaded figures. */
  buildParts(data: ReportData<NoInfer<F>>): ReportParts | Promise<ReportParts>
}

/** Builds a report of daily figures from its declaration. */
export function figureReport<F extends Figure>(declared: FigureReport<F>): ViewReport {
  const { reads, missed, columns, totals, buildParts, ...description } = declared
  return {
    ...description,
    async view(services, query) {
      const read = await loadFigures(services, query, reads, { missed })
      const state = recordOf(reads, (figure) => closingFigure(read, figure))
      const flow = recordOf(reads, (figure) => sumOfFlow(read, figure))
      const parts = await buildParts({ services, query, read, state, flow })
      const { figures, check, chart, above = [], below = [], notes = [] } = parts
      const hasTotals = totals === 'always' || (totals === 'of several' && query.places.length > 1)
      const sums = Object.fromEntries(columns.map(({ key, cell }) => [key, cell(state, flow)]))
      const mainTable = figureTable(query, read, columns, hasTotals ? sums : undefined)
      const besides = [...above, ...below]
      return {
        figures,
        check,
        chart: chart && { ...chart, days: daysOfChart(read) },
        tables: [...above, { ...mainTable, isFile: !besides.some(({ isFile }) => isFile) }, ...below],
        notes: [...notes, ...missingDays(query, read)],
      }
    },
  }
}

/** Returns the days from the first known one to the last. */
function daysOfChart<F extends Figure>({ days }: FigureData<F>): IsoDate[] {
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return []
  return Array.from({ length: daysBetween(first.day, last.day) + 1 }, (_, index) => addDays(first.day, index))
}

/** Returns a figure by day for a chart; null for unknown days between known ones. */
export function chartByDay<F extends Figure>(
  read: FigureData<F>,
  value: (sums: Sums<F>) => number | null,
): (number | null)[] {
  const sumsByDay = new Map(read.days.map(({ day, sums }) => [day, sums]))
  return daysOfChart(read).map((day) => {
    const sums = sumsByDay.get(day)
    return sums ? value(sums) : null
  })
}
