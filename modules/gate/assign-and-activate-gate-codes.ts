/**
 * Activates, deactivates and loads the gate codes of a facility. `modules/gate/rules/gate-access.ts` decides which of
 * them open.
 */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable, Tables } from '../../platform/schema/tables.ts'
import type { Lease, LeaseKey } from '../leases/lease.ts'
import { loadGateFacts } from './gate-facts.ts'
import { accessByCode, type CodeAccess } from './rules/gate-access.ts'
import { generateGateCode } from './rules/generate-gate-code.ts'

/** Loads a facility's active gate codes, sorted by code, each with whether it opens. Uses one statement. */
export const loadGateAccess = async (db: Kysely<Tables>, locationCode: string, now: Instant): Promise<CodeAccess[]> =>
  accessByCode(await loadGateFacts(db, { location_code: locationCode }, now), now)

type CodeOfLease = Pick<Selectable<LeasesTable>, 'location_code' | 'tenant_id' | 'gate_code' | 'status'>

/** Returns a lease's gate code; '' once it has ended, since its code may be reassigned. */
export const activeGateCodeOf = (lease: Pick<CodeOfLease, 'gate_code' | 'status'>): string =>
  lease.status === 'Closed' ? '' : lease.gate_code

/** Returns the hours of a lease's gate code; undefined where the code is not active. */
async function loadActiveHours(db: Kysely<Tables>, lease: CodeOfLease) {
  if (lease.status === 'Closed') return undefined
  const row = await db
    .selectFrom('gate_codes')
    .select('time_zone_name')
    .where((eb) => eb.and({ location_code: lease.location_code, tenant_id: lease.tenant_id }))
    .where('gate_code', '=', lease.gate_code)
    .where('active', '=', 1)
    .executeTakeFirst()
  return row?.time_zone_name
}

/** Returns whether a lease's gate code is active with 24-hour access, even while the gate refuses it. */
export const hasFullDayAccess = async (db: Kysely<Tables>, lease: CodeOfLease): Promise<boolean> =>
  (await loadActiveHours(db, lease)) === '24-hour'

/**
 * Locks a tenant's active gate codes until the transaction ends, so that no code ends while a new lease takes it over.
 * A transaction that also locks leases of the tenant locks the leases first. SQLite needs no lock.
 */
export async function lockGateCodes(
  tx: Kysely<Tables>,
  { location_code, tenant_id }: Pick<Lease, 'location_code' | 'tenant_id'>,
): Promise<void> {
  if (engineOf(tx) === 'postgres')
    await tx
      .selectFrom('gate_codes')
      .select('gate_code')
      .where((eb) => eb.and({ location_code, tenant_id }))
      .where('active', '=', 1)
      .orderBy('gate_code')
      .forNoKeyUpdate()
      .execute()
}

/**
 * Generates a gate code that is not active at the facility and activates it. Runs in the caller's transaction.
 * @throws Error where every code is active at the facility
 */
export async function assignGateCode(
  tx: Kysely<Tables>,
  services: Services,
  target: { locationCode: string; tenantId: number; leaseNumber: number; hours: 'standard' | '24-hour' },
): Promise<string> {
  const { locationCode } = target
  const taken = new Set<string>()
  for (let attempt = 1; ; attempt++) {
    // The insert detects the rare collisions; only after repeated ones are all active codes loaded.
    if (attempt === 4) {
      const activeCodes = await tx
        .selectFrom('gate_codes')
        .select('gate_code')
        .where('location_code', '=', locationCode)
        .where('active', '=', 1)
        .execute()
      for (const row of activeCodes) taken.add(row.gate_code)
    }
    const code = generateGateCode(services.random.integer, (candidate) => taken.has(candidate))
    if (code === null) throw new Error(`Every gate code of ${locationCode} is taken`)
    if (await activateGateCode(tx, services, target, code)) return code
    // The code was active already, or another transaction has activated it since.
    taken.add(code)
  }
}

/** Activates a gate code. Returns false where the code is active at the facility already. */
export async function activateGateCode(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  target: { locationCode: string; tenantId: number; leaseNumber: number; hours: 'standard' | '24-hour' },
  code: string,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('gate_codes')
    .values({
      location_code: target.locationCode,
      gate_code: code,
      tenant_id: target.tenantId,
      lease_number: target.leaseNumber,
      time_zone_name: target.hours,
      active: 1,
      created_at: services.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('gate_code')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Sets the hours of a lease's gate code, if the code is active. */
export async function setGateHours(
  tx: Kysely<Tables>,
  lease: { location_code: string; tenant_id: number; gate_code: string },
  hours: 'standard' | '24-hour',
): Promise<void> {
  await tx
    .updateTable('gate_codes')
    .set({ time_zone_name: hours })
    .where((eb) => eb.and({ location_code: lease.location_code, tenant_id: lease.tenant_id }))
    .where('gate_code', '=', lease.gate_code)
    .where('active', '=', 1)
    .execute()
}

/** Deactivates a gate code at its facility. */
export async function deactivateGateCode(
  tx: Kysely<Tables>,
  { location_code, gate_code }: Pick<Lease, 'location_code' | 'gate_code'>,
): Promise<void> {
  await tx
    .updateTable('gate_codes')
    .set({ active: 0 })
    .where('location_code', '=', location_code)
    .where('gate_code', '=', gate_code)
    .where('active', '=', 1)
    .execute()
}

/**
 * Deactivates the gate codes recorded under a lease that has ended, such as its auction winner's, unless an open lease
 * of the tenant uses them.
 */
export async function deactivateGateCodesOfEndedLease(tx: Kysely<Tables>, lease: LeaseKey): Promise<void> {
  await tx
    .updateTable('gate_codes')
    .set({ active: 0 })
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('active', '=', 1)
    .where('gate_code', 'not in', (eb) =>
      eb
        .selectFrom('leases')
        .select('leases.gate_code')
        .whereRef('leases.location_code', '=', 'gate_codes.location_code')
        .whereRef('leases.tenant_id', '=', 'gate_codes.tenant_id')
        .where('leases.status', '!=', 'Closed'),
    )
    .execute()
}
