import { formatUs } from '../../../domain/plain-date.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { type Outcome, succeed } from '../../../platform/operations/outcome.ts'
import { reportOf } from '../every-report.ts'
import { loadReportFile } from '../internal/load-report.ts'
import type { ReportFacility } from '../internal/read-snapshot-figures.ts'
import { type ExportedReport, firstDayShown, input, parseReportQuery, reportAccess } from '../report-input.ts'

/**
 * Exports a report as a file, which is generated while it is sent. The audit event is written before the first byte.
 */
export const ExportReport = internalOperation({
  name: 'ExportReport',
  access: { staff: reportAccess(['report.export']) },
  freshFactor: true,
  input,
  example: { input: { name: 'occupancy', facilities: ['ATL01'], from: '2026-11-01', to: '2026-11-20' } },
  async run(services, request, callers): Promise<Outcome<ExportedReport>> {
    const staff = staffOf(callers)
    const query = await parseReportQuery(services, staff, request)
    if (!query.ok) return query
    const { places, to } = query.value
    const from = firstDayShown(request.name, query.value)
    const [first] = places as [ReportFacility]
    const isSingle = places.length === 1
    await services.db.transaction((tx) =>
      writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'report.exported',
        details: {
          report: reportOf(request.name).title,
          days: from === to ? formatUs(to) : `${formatUs(from)} to ${formatUs(to)}`,
          facilities: isSingle ? first.code : `${places.length} facilities`,
        },
        permission: 'report.export',
        ...(isSingle && { locationCode: first.code }),
      }),
    )
    const where = isSingle ? first.code.toLowerCase() : `${places.length}-facilities`
    const fileName = [request.name, where, ...(from === to ? [to] : [from, to])].join('-')
    return succeed({ ...(await loadReportFile(services, request.name, query.value)), fileName, by: staff.name })
  },
})
