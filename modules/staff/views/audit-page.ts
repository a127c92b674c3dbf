import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type LastCheck, loadLastAuditCheck } from '../audit-hash-check.ts'
import { type AuditFilterFields, parseAuditFilter } from '../rules/audit-filter.ts'
import { loadStaffMember } from '../staff-members.ts'
import { type AuditLine, loadAuditEvents } from './audit-log.ts'
import { loadStaffPage } from './staff-list.ts'

/** Audit events that match a filter, with the staff members to filter by. */
export interface AuditPage {
  events: AuditLine[]
  /** Cursor of the next page; null on the last one. */
  older: string | null
  /** Staff members to choose from; empty when there are too many, or when the reader may not list them. */
  people: { staffId: string; name: string }[]
  /** E-mail address of the staff member in the filter, where it is typed instead of chosen; else null. */
  email: string | null
  /** Result of the last verification of the audit; null before the first one. */
  checked: LastCheck | null
}

/**
 * Returns a page of audit events of the staff member's facilities.
 * @param before cursor from the previous page's `older`
 * @param mostPeople number of staff members above which the filter has a text field for an e-mail address, not a list
 */
export async function loadAuditPage(
  services: Pick<Services, 'db' | 'sealer'>,
  staff: StaffCaller,
  { filter, before, mostPeople }: { filter: AuditFilterFields; before: string | null; mostPeople: number },
): Promise<AuditPage> {
  const { read } = services.db
  const [{ events, next }, { people, next: more }, checked] = await Promise.all([
    loadAuditEvents(services, staff, { ...parseAuditFilter(filter), before }),
    loadStaffPage(read, { text: '', after: null, most: mostPeople }),
    loadLastAuditCheck(read),
  ])
  const readsAll = facilitiesFor(staff, 'audit.read') === 'all'
  const isPersonTyped = readsAll && more !== null
  return {
    events,
    older: next,
    // Staff members who may read only some facilities get no list of all staff.
    people: readsAll && !isPersonTyped ? people.map(({ staffId, name }) => ({ staffId, name })) : [],
    email: isPersonTyped ? ((await loadStaffMember(read, filter.person))?.email ?? filter.person) : null,
    checked,
  }
}
