import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { lines } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type LockedLease, lockLease } from '../../leases/lock-lease.ts'
import { notPastDue } from '../../liens/texts/liens.ts'
import { hasPermissionForTenant } from '../../staff/staff-tasks.ts'

export const example = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

export const note = v.optional(lines(500), '')

interface LeaseInput {
  location_code: string
  tenant_id: number
  lease_number: number
}

/** Locks a lease of a tenant about whom the staff member may write notes. Refuses when nothing is owed. */
export async function lockOwingLease(
  tx: Kysely<Tables>,
  callers: Callers,
  input: LeaseInput,
): Promise<LockedLease | Refusal> {
  const staff = staffOf(callers)
  const tenant = { locationCode: input.location_code, tenantId: input.tenant_id }
  const lease = await lockLease(tx, input)
  if (lease?.tenant_id !== input.tenant_id) return recordNotFound
  if (!(await hasPermissionForTenant(tx, staff, 'note.write', tenant))) return recordNotFound
  return lease.balance > 0 && lease.status !== 'Closed' ? lease : refuse(409, 'not_past_due', notPastDue)
}

export const isRefusal = (result: LockedLease | Refusal): result is Refusal => 'ok' in result

/** Returns facility, tenant, lease and required permission of an operation on a past-due lease, for its audit event. */
export const auditSubject = (lease: LockedLease) => ({
  locationCode: lease.location_code,
  tenantId: lease.tenant_id,
  leaseNumber: lease.lease_number,
  permission: 'note.write' as const,
})
