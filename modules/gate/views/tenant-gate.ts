import type { Kysely } from 'kysely'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadGate } from '../load-and-lock-facility-gate.ts'
import { loadTenantGateAccess } from '../load-tenant-gate-access.ts'
import type { GateWeek } from '../rules/gate-hours.ts'
import { connectedWeek } from '../rules/hours-acknowledged-by-gate.ts'
import { mayOpenRemotely } from '../rules/json-or-flat-gate-list.ts'
import type { GateState } from '../rules/tenant-gate-state-types.ts'

/** Data of a tenant's gate page about the facility's gate. */
export interface TenantGate {
  /** State of the tenant's codes; null without an open lease of a unit that was not sold at auction. */
  state: GateState | null
  /** Hours that the connected gate follows; null where none is connected or its hours were not confirmed. */
  week: GateWeek | null
  /** Whether the gate can be opened remotely, unless its last contact is too old. */
  opensRemotely: boolean
}

export async function loadTenantGate(
  db: Kysely<Tables>,
  tenantKey: { locationCode: string; tenantId: number },
  now: Instant,
): Promise<TenantGate> {
  const state = await loadTenantGateAccess(db, tenantKey, now)
  const gate = await loadGate(db, tenantKey.locationCode)
  return { state, week: connectedWeek(gate), opensRemotely: gate !== undefined && mayOpenRemotely(gate) }
}
