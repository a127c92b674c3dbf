import { parseUs } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { findOpenableReport, type OpenableReport } from '../../../modules/reports/views/openable-reports.ts'
import { type FacilitiesInView, loadFacilitiesInView } from '../facilities-in-view.ts'
import { type OfficePage, openOfficePage } from '../open-office-page.ts'

type Args = Parameters<typeof openOfficePage>[0]

/** Report and parameters in the page's address. */
export interface RequestedReport {
  page: OfficePage
  report: OpenableReport
  view: FacilitiesInView
  /** `from` and `to` are `YYYY-MM-DD`, '' or text that the operation refuses; `row` is the first row shown, from 1. */
  input: { name: OpenableReport['name']; facilities: string[]; from: string; to: string; row: number }
}

/**
 * Opens the report in the page's address.
 * @throws a redirect to sign-in; 404 when the report does not exist or the staff member may not open it
 */
export async function openReport(args: Args, name: string): Promise<RequestedReport> {
  const page = await openOfficePage(args)
  const report = findOpenableReport(page.staff, name)
  if (!report) throw new Response(officeNotFound, { status: 404 })
  const view = await loadFacilitiesInView(page, report.permissions)
  const parseDay = (field: string) => {
    const text = (page.url.searchParams.get(field) ?? '').trim().slice(0, 40)
    return text === '' ? '' : (parseUs(text) ?? text)
  }
  const row = /^[1-9]\d{0,6}$/.exec(page.url.searchParams.get('row') ?? '')
  return {
    page,
    report,
    view,
    input: {
      name: report.name,
      facilities: view.chosen,
      from: parseDay('from'),
      to: parseDay('to'),
      row: row ? Number(row[0]) : 1,
    },
  }
}
