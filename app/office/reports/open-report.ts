import { parseUs } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { isReport, permissionsFor, type ReportName } from '../../../modules/reports/every-report.ts'
import { type FacilitiesInView, facilitiesInView } from '../facilities-in-view.ts'
import { hasPermission, type OfficePage, openOfficePage } from '../open-office-page.ts'

type Args = Parameters<typeof openOfficePage>[0]

/** Report and parameters in the page's address. */
export interface RequestedReport {
  page: OfficePage
  name: ReportName
  view: FacilitiesInView
  input: { name: ReportName; facilities: string[]; from: string; to: string; row: number }
}

/**
 * Opens the report in the page's address.
 * @throws a redirect to sign-in; 404 when the report does not exist or the staff member may not open it
 */
export async function openReport(args: Args, name: string): Promise<RequestedReport> {
  const page = await openOfficePage(args)
  const permission = isReport(name) ? permissionsFor(name).find((name) => hasPermission(page.staff, name)) : undefined
  if (!isReport(name) || !permission) throw new Response(officeNotFound, { status: 404 })
  const view = await facilitiesInView(page, permission)
  const day = (field: string) => {
    const text = (page.url.searchParams.get(field) ?? '').trim().slice(0, 40)
    return text === '' ? '' : (parseUs(text) ?? text)
  }
  const row = /^\d{1,7}$/.exec(page.url.searchParams.get('row') ?? '')
  return {
    page,
    name,
    view,
    input: { name, facilities: view.chosen, from: day('from'), to: day('to'), row: row ? Number(row[0]) : 1 },
  }
}
