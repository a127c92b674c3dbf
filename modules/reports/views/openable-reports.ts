import type { Permission } from '../../../domain/office/roles.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { isReport, permissionsFor, type ReportName, reportNames, reportOf } from '../every-report.ts'

/** A report that a staff member may open. */
export interface OpenableReport extends Pick<ReturnType<typeof reportOf>, 'title' | 'about' | 'group' | 'period'> {
  name: ReportName
  /** Permission by which the staff member may open the report. */
  permission: Permission
}

/** Returns the report of a name; null when there is none, or the staff member may not open it. */
export function findOpenableReport(staff: StaffCaller, name: string): OpenableReport | null {
  if (!isReport(name)) return null
  const permission = permissionsFor(name).find((candidate) => mayAnywhere(candidate)(staff))
  if (!permission) return null
  const { title, about, group, period } = reportOf(name)
  return { name, title, about, group, period, permission }
}

/** Returns the reports that the staff member may open, in the order of their list. */
export const listOpenableReports = (staff: StaffCaller): OpenableReport[] =>
  reportNames.flatMap((name) => findOpenableReport(staff, name) ?? [])
