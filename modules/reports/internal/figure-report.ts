/** Builds reports of daily figures from their declarations. */

import type { Permission } from '../../../domain/office/roles.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import {
  closingFigure,
  type Figure,
  type FigureData,
  missingDays,
  type ReportQuery,
  readFigures,
  type Sums,
  sumOfFlow,
} from '../report-figures.ts'
import type { ReportChart, ReportTable, ReportView } from '../rules/report-format.ts'
import { figureTable, type SumColumn } from './figure-table.ts'

/** Period of a report. 'span': first to last day; 'day': end of a day; 'now': current state. */
type ReportOf = 'span' | 'day' | 'now'

/** Entry of the list of reports, with the permission that opens the report. */
export interface ReportDescription {
  title: string
  about: string
  of: ReportOf
  group: 'Units and rents' | 'Money' | 'People and work'
  /** Permission that opens the report besides `report.read`. */
  also?: Permission
}

/** A report whose `view` computes the table and figures of its page from the stored daily figures of each facility. */
export interface ViewReport extends ReportDescription {
  view(services: Services, asked: ReportQuery): Promise<ReportView>
  /** Set when rows are people instead of facilities; such a report has one page. */
  rowsAre?: 'people'
}

interface Told<F extends Figure> {
  services: Services
  asked: ReportQuery
  read: FigureData<F>
  /** Sums over all facilities: states at the end of the span, flows within it. */
  state: Sums<F>
  flow: Sums<F>
}

/** Parts of a report's page other than its table by facility or by day. */
interface Telling extends Pick<ReportView, 'figures' | 'check'> {
  chart?: Omit<ReportChart, 'days'>
  above?: ReportTable[]
  below?: ReportTable[]
  notes?: string[]
}

interface FigureReport<F extends Figure> extends ReportDescription {
  reads: readonly F[]
  /** True if a missed day, whose ledger figures are known, may be the last day. */
  missed?: true
  columns: readonly SumColumn<NoInfer<F>>[]
  /** Table below the rows; left out for none. */
  totals?: 'always' | 'of several'
  tell(of: Told<NoInfer<F>>): Telling | Promise<Telling>
}

/** Builds a report of daily figures from its declaration. */
export function figureReport<F extends Figure>(declared: FigureReport<F>): ViewReport {
  const { reads, missed, columns, totals, tell, ...described } = declared
  return {
    ...described,
    async view(services, asked) {
      const read = await readFigures(services, asked, reads, { missed })
      const state = recordOf(reads, (one) => closingFigure(read, one))
      const flow = recordOf(reads, (one) => sumOfFlow(read, one))
      const told = await tell({ services, asked, read, state, flow })
      const { figures, check, chart, above = [], below = [], notes = [] } = told
      const hasTotals = totals === 'always' || (totals === 'of several' && asked.places.length > 1)
      const sums = Object.fromEntries(columns.map(({ key, cell }) => [key, cell(state, flow)]))
      return {
        figures,
        check,
        chart: chart && { ...chart, days: read.days.map(({ day }) => day) },
        tables: [...above, figureTable(asked, read, columns, hasTotals ? sums : undefined), ...below],
        notes: [...notes, ...missingDays(asked, read)],
      }
    },
  }
}

/** Returns a figure by day for a chart; null for days without a snapshot. */
export const chartByDay = <F extends Figure>(
  { days }: FigureData<F>,
  value: (sums: Sums<F>) => number | null,
): (number | null)[] => days.map(({ kept, sums }) => (kept > 0 ? value(sums) : null))
