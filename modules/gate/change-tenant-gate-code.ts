import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { engineOf } from '../../platform/database/engine-differences.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { setGateCode } from '../leases/lease.ts'
import { paidWinnerSubquery, winnerCodesQuery } from '../links/paid-auction-winners.ts'
import { lockTenant } from '../tenants/tenant.ts'
import { activateGateCode, assignGateCode } from './assign-and-activate-gate-codes.ts'

export type GateCodeChanged = { ok: true; code: string; units: string[] } | { ok: false; why: 'no lease' | 'taken' }

/**
 * Gives a tenant a new gate code for all their open leases and deactivates the codes that these leases had, except an
 * auction winner's. Leases whose unit an auction winner has paid for are left out. Runs in the caller's transaction.
 * @param requestedCode code that satisfies `isGateCode`; null generates one
 * @returns the code with the numbers of its units; 'no lease' if no open lease is left, 'taken' if the requested code
 *   is active at the facility
 */
export async function changeGateCode(
  tx: Kysely<Tables>,
  services: Services,
  tenant: { locationCode: string; tenantId: number },
  requestedCode: string | null,
): Promise<GateCodeChanged> {
  const tenantKey = { location_code: tenant.locationCode, tenant_id: tenant.tenantId }
  // A move-in takes the same lock before it reads the code that its lease takes over.
  await lockTenant(tx, tenantKey)
  const leases = await lockRows(
    tx,
    tx
      .selectFrom('leases')
      .select(['lease_number', 'unit_number', 'gate_code'])
      .where((eb) => eb.and(tenantKey))
      .where('status', '!=', 'Closed')
      .where(({ not, exists }) => not(exists(paidWinnerSubquery(tx))))
      .orderBy('lease_number'),
  ).execute()
  const [first] = leases
  if (!first) return { ok: false, why: 'no lease' }
  const oldCodes = [...new Set(leases.map((lease) => lease.gate_code).filter((code) => code !== ''))]
  const hours = await loadHours(tx, tenantKey, oldCodes)
  const assignment = { ...tenant, leaseNumber: first.lease_number, hours }
  const code =
    requestedCode === null
      ? await assignGateCode(tx, services, assignment)
      : (await activateGateCode(tx, services, assignment, requestedCode))
        ? requestedCode
        : null
  if (code === null) return { ok: false, why: 'taken' }
  const numbers = leases.map((lease) => lease.lease_number)
  await setGateCode(tx, tenant.locationCode, numbers, code)
  if (oldCodes.length > 0)
    await tx
      .updateTable('gate_codes')
      .set({ active: 0 })
      .where((eb) => eb.and(tenantKey))
      .where('active', '=', 1)
      .where('gate_code', 'in', oldCodes)
      .where('gate_code', 'not in', winnerCodesQuery(tx, tenant.locationCode))
      .execute()
  return { ok: true, code, units: leases.map((lease) => lease.unit_number) }
}

/**
 * Returns '24-hour' if any of the tenant's active gate codes among `codes` has 24-hour access; otherwise 'standard'.
 */
async function loadHours(
  tx: Kysely<Tables>,
  tenantKey: { location_code: string; tenant_id: number },
  codes: string[],
): Promise<'standard' | '24-hour'> {
  if (codes.length === 0) return 'standard'
  const row = await tx
    .selectFrom('gate_codes')
    .select('gate_code')
    .where((eb) => eb.and(tenantKey))
    .where('gate_code', 'in', codes)
    .where('active', '=', 1)
    .where('time_zone_name', '=', sql.lit('24-hour'))
    .limit(1)
    .executeTakeFirst()
  return row ? '24-hour' : 'standard'
}

const lockRows = <O>(tx: Kysely<Tables>, query: SelectQueryBuilder<Tables, 'leases', O>) =>
  engineOf(tx) === 'postgres' ? query.forNoKeyUpdate() : query
