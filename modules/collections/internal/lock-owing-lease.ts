import * as v from 'valibot'
import { lines } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { type LockedLease, lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { notPastDue } from '../../liens/texts/lien-cases.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { hasPermissionForTenant } from '../../staff/staff-tasks.ts'

export const example = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

export const note = v.optional(lines(500), '')

interface LeaseInput {
  location_code: string
  tenant_id: number
  lease_number: number
}

/**
 * Locks the row of a lease with a balance due, for a staff member who may write notes about its tenant.
 * @throws RefusalError when nothing is owed, the lease is closed, the tenant has no such lease, or the permission is
 *   missing
 */
export async function lockOwingLease({ tx, staff }: OfficeContext, input: LeaseInput): Promise<LockedLease> {
  const tenant = { locationCode: input.location_code, tenantId: input.tenant_id }
  const lease = await lockLeaseRow(tx, input)
  if (lease?.tenant_id !== input.tenant_id) throw new RefusalError(recordNotFound)
  if (!(await hasPermissionForTenant(tx, staff, 'note.write', tenant))) throw new RefusalError(recordNotFound)
  if (lease.balance <= 0 || lease.status === 'Closed') throw refusalError(409, 'not_past_due', notPastDue)
  return lease
}
