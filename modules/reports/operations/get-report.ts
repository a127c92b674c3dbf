import type { IsoDate } from '../../../domain/plain-date.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { type Outcome, succeed } from '../../../platform/operations/outcome.ts'
import { loadReportView } from '../internal/load-report.ts'
import type { ReportFacility } from '../internal/read-snapshot-figures.ts'
import { firstDayShown, parseReportQuery, reportAccess, reportInput } from '../internal/report-input.ts'
import type { ReportView } from '../rules/report-format.ts'

export interface ShownReport {
  view: ReportView
  places: readonly ReportFacility[]
  from: IsoDate
  to: IsoDate
  isTodayLeftOut: boolean
}

export const GetReport = internalOperation({
  name: 'GetReport',
  access: { staff: reportAccess() },
  writes: false,
  input: reportInput,
  example: { input: { name: 'occupancy', facilities: ['ATL01'], from: '2026-11-01', to: '2026-11-20' } },
  async run(services, request, callers): Promise<Outcome<ShownReport>> {
    const query = await parseReportQuery(services, staffOf(callers), request)
    const { places, to, isTodayLeftOut } = query
    const view = await loadReportView(services, request.name, query, request.row)
    return succeed({ view, places, from: firstDayShown(request.name, query), to, isTodayLeftOut })
  },
})
