import { parseUs } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { isReport, permissionsFor, type ReportName } from '../../../modules/reports/every-report.ts'
import { type FacilitiesInView, facilitiesInView } from '../facilities-in-view.ts'
import { hasPermission, type OfficePage, openOfficePage } from '../open-office-page.ts'

type Args = Parameters<typeof openOfficePage>[0]

/** Report and parameters that the address asks for. */
export interface AskedReport {
  page: OfficePage
  name: ReportName
  view: FacilitiesInView
  input: { name: ReportName; facilities: string[]; from: string; to: string; row: number }
}

/**
 * Reads a report's address.
 * @throws a redirect to sign-in; 404 when there is no such report for the staff member
 */
export async function openReport(args: Args, name: string): Promise<AskedReport> {
  const page = await openOfficePage(args)
  const permission = isReport(name) ? permissionsFor(name).find((one) => hasPermission(page.staff, one)) : undefined
  if (!isReport(name) || !permission) throw new Response(officeNotFound, { status: 404 })
  const view = await facilitiesInView(page, permission)
  const day = (field: string) => {
    const typed = (page.url.searchParams.get(field) ?? '').trim().slice(0, 40)
    return typed === '' ? '' : (parseUs(typed) ?? typed)
  }
  const row = /^\d{1,7}$/.exec(page.url.searchParams.get('row') ?? '')
  return {
    page,
    name,
    view,
    input: { name, facilities: view.chosen, from: day('from'), to: day('to'), row: row ? Number(row[0]) : 1 },
  }
}
