import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { engineOf } from '../../platform/database/engine.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { setGateCode } from '../leases/lease.ts'
import { paidWinnerSubquery, winnerCodesQuery } from '../links/auction-winner-queries.ts'
import { lockTenant } from '../tenants/tenant.ts'
import { activateGateCode, assignGateCode } from './gate-codes.ts'

export type GateCodeChanged = { ok: true; code: string; units: string[] } | { ok: false; why: 'no lease' | 'taken' }

/**
 * Gives a tenant a new gate code for all their open leases and ends the earlier ones. Runs in the caller's transaction.
 * @param wanted code that satisfies `isGateCode`; null generates one
 */
export async function changeGateCode(
  tx: Kysely<Tables>,
  services: Services,
  of: { locationCode: string; tenantId: number },
  wanted: string | null,
): Promise<GateCodeChanged> {
  const whose = { location_code: of.locationCode, tenant_id: of.tenantId }
  // The tenant's lock, under which a move-in also reads the code that its lease takes over.
  await lockTenant(tx, whose)
  const leases = await locked(
    tx,
    tx
      .selectFrom('leases')
      .select(['lease_number', 'unit_number', 'gate_code'])
      .where((eb) => eb.and(whose))
      .where('status', '!=', 'Closed')
      .where(({ not, exists }) => not(exists(paidWinnerSubquery(tx))))
      .orderBy('lease_number'),
  ).execute()
  const [first] = leases
  if (!first) return { ok: false, why: 'no lease' }
  const old = [...new Set(leases.map((lease) => lease.gate_code).filter((code) => code !== ''))]
  const hours = await hoursOf(tx, whose, old)
  const given = { ...of, leaseNumber: first.lease_number, hours }
  const code =
    wanted === null
      ? await assignGateCode(tx, services, given)
      : (await activateGateCode(tx, services, given, wanted))
        ? wanted
        : null
  if (code === null) return { ok: false, why: 'taken' }
  const numbers = leases.map((lease) => lease.lease_number)
  await setGateCode(tx, of.locationCode, numbers, code)
  if (old.length > 0)
    await tx
      .updateTable('gate_codes')
      .set({ active: 0 })
      .where((eb) => eb.and(whose))
      .where('active', '=', 1)
      .where('gate_code', 'in', old)
      .where('gate_code', 'not in', winnerCodesQuery(tx, of.locationCode))
      .execute()
  return { ok: true, code, units: leases.map((lease) => lease.unit_number) }
}

/**
 * Returns '24-hour' if any of the tenant's active gate codes among `codes` has 24-hour access; otherwise 'standard'.
 */
async function hoursOf(
  tx: Kysely<Tables>,
  whose: { location_code: string; tenant_id: number },
  codes: string[],
): Promise<'standard' | '24-hour'> {
  if (codes.length === 0) return 'standard'
  const row = await tx
    .selectFrom('gate_codes')
    .select('gate_code')
    .where((eb) => eb.and(whose))
    .where('gate_code', 'in', codes)
    .where('active', '=', 1)
    .where('time_zone_name', '=', sql.lit('24-hour'))
    .limit(1)
    .executeTakeFirst()
  return row ? '24-hour' : 'standard'
}

const locked = <O>(tx: Kysely<Tables>, query: SelectQueryBuilder<Tables, 'leases', O>) =>
  engineOf(tx) === 'postgres' ? query.forNoKeyUpdate() : query
