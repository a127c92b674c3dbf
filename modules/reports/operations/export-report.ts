import { formatUs } from '../../../domain/plain-date.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { reportOf } from '../every-report.ts'
import { loadReportFile } from '../internal/load-report.ts'
import { firstDayShown, parseReportQuery, reportAccess, reportInput } from '../internal/report-input.ts'
import type { ExportedReport } from '../rules/report-format.ts'

/**
 * Exports a report as a file. The audit event is written before the first byte; a list's rows are read while it is sent.
 */
export const ExportReport = officeOperation({
  name: 'ExportReport',
  permission: 'report.export',
  access: reportAccess(['report.export']),
  freshFactor: true,
  input: reportInput,
  example: { name: 'occupancy', facilities: ['ATL01'], from: '2026-11-01', to: '2026-11-20' },
  async before(services, request, callers) {
    const query = await parseReportQuery(services, staffOf(callers), request)
    return { query, file: await loadReportFile(services, request.name, query) }
  },
  async work(act, { name }, { query, file }): Promise<ExportedReport> {
    const { places, to } = query
    const from = firstDayShown(name, query)
    const first = requireValue(places[0], 'facility of the report')
    const isSingle = places.length === 1
    await act.audit({
      kind: 'report.exported',
      details: {
        report: reportOf(name).title,
        days: from === to ? formatUs(to) : `${formatUs(from)} to ${formatUs(to)}`,
        facilities: isSingle ? first.code : `${places.length} facilities`,
      },
      ...(isSingle && { locationCode: first.code }),
    })
    const where = isSingle ? first.code.toLowerCase() : `${places.length}-facilities`
    const fileName = [name, where, ...(from === to ? [to] : [from, to])].join('-')
    return { ...file, fileName, by: act.staff.name }
  },
})
