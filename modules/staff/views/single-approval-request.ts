import { type Selectable, sql } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { ApprovalsTable } from '../../../platform/schema/tables.ts'
import { decryptInput, loadApproval } from '../approvals.ts'

/** An open approval request. */
export interface Approval {
  approvalId: string
  operation: string
  permission: Permission
  summary: string
  locationCode: string
  tenantId: number | null
  leaseNumber: number | null
  cents: Cents
  reason: string
  askedBy: string
  askedByName: string
  askedAt: Instant
}

/**
 * Loads an approval request with the decrypted input of its operation.
 * @returns `input` is null when the tenant was erased; null for an unknown id
 */
export async function loadApprovalInput(
  services: Pick<Services, 'db' | 'sealer'>,
  approvalId: string,
): Promise<{ operation: string; locationCode: string; input: object | null; state: string } | null> {
  const row = await loadApproval(services.db.read, approvalId)
  return (
    (row && {
      operation: row.operation,
      locationCode: row.location_code,
      input: await decryptInput(services.db.read, services, row),
      state: row.state,
    }) ??
    null
  )
}

/**
 * Returns the oldest open approval request that has all values of the filter, if the staff member made the request or
 * may decide requests at its facility; otherwise null.
 */
export async function findOpenApproval(
  { db }: Pick<Services, 'db'>,
  caller: StaffCaller,
  filter: Partial<Pick<Selectable<ApprovalsTable>, 'approval_id' | 'operation' | 'location_code' | 'tenant_id'>>,
): Promise<Approval | null> {
  const row = await db.read
    .selectFrom('approvals')
    .innerJoin('staff', 'staff.staff_id', 'approvals.asked_by')
    .selectAll('approvals')
    .select('staff.name')
    // A literal, because a bound parameter would keep the database from using the partial index on open requests.
    .where('state', '=', sql.lit<'open'>('open'))
    .where((eb) => eb.and(filter))
    .orderBy('asked_at')
    .limit(1)
    .executeTakeFirst()
  const mayDecideHere = row && grantAt(caller, 'approval.decide', row.location_code) !== undefined
  if (!row || !(mayDecideHere || row.asked_by === caller.staffId)) return null
  return {
    approvalId: row.approval_id,
    operation: row.operation,
    permission: row.permission,
    summary: row.summary,
    locationCode: row.location_code,
    tenantId: row.tenant_id,
    leaseNumber: row.lease_number,
    cents: row.cents,
    reason: row.reason,
    askedBy: row.asked_by,
    askedByName: row.name,
    askedAt: row.asked_at,
  }
}
