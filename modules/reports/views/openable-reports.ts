import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { isReport, permissionsFor, type ReportName, reportNames, reportOf } from '../every-report.ts'

/** A report that a staff member may open. */
export interface OpenableReport extends Pick<ReturnType<typeof reportOf>, 'title' | 'about' | 'group' | 'period'> {
  name: ReportName
  /** Permissions of which each opens the report at a facility. */
  permissions: readonly Permission[]
}

/** Returns the report of a name; null when there is none, or the staff member may not open it. */
export function findOpenableReport(staff: StaffCaller, name: string): OpenableReport | null {
  if (!isReport(name)) return null
  const permissions = permissionsFor(name)
  if (!permissions.some((permission) => mayAnywhere(permission)(staff))) return null
  const { title, about, group, period } = reportOf(name)
  return { name, title, about, group, period, permissions }
}

/** Returns the reports that the staff member may open, in the order of their list. */
export const listOpenableReports = (staff: StaffCaller): OpenableReport[] =>
  reportNames.flatMap((name) => findOpenableReport(staff, name) ?? [])
