import type { IsoDate } from '../../../domain/plain-date.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { type Outcome, succeed } from '../../../platform/operations/outcome.ts'
import { reportView } from '../load-report.ts'
import type { ReportFacility } from '../report-figures.ts'
import { firstDayShown, input, parseReportQuery, reportAccess } from '../report-input.ts'
import type { ReportView } from '../rules/report-format.ts'

export interface ShownReport {
  view: ReportView
  places: readonly ReportFacility[]
  from: IsoDate
  to: IsoDate
  onlyOver: boolean
}

export const GetReport = internalOperation({
  name: 'GetReport',
  access: { staff: reportAccess() },
  writes: false,
  input,
  example: { input: { name: 'occupancy', facilities: ['ATL01'], from: '2026-11-01', to: '2026-11-20' } },
  async run(services, of, callers): Promise<Outcome<ShownReport>> {
    const asked = await parseReportQuery(services, staffOf(callers), of)
    if (!asked.ok) return asked
    const { places, to, onlyOver } = asked.value
    const view = await reportView(services, of.name, asked.value, of.row)
    return succeed({ view, places, from: firstDayShown(of.name, asked.value), to, onlyOver })
  },
})
