/**
 * Gate access by code. A code belongs to a tenant for all their leases. The gate refuses it while one of them is
 * overlocked, unless the office lifted that, or while the office suspends it. A unit sold at auction has the winner's
 * own code once paid.
 */
import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { GateCodesTable, LeasesTable, Tables } from '../../platform/schema/tables.ts'
import type { Lease, LeaseKey } from '../leases/lease.ts'
import { codesOfWinners } from '../links/auction-sales.ts'
import { overridesInForce } from './gate-overrides.ts'
import { drawGateCode } from './rules/gate-code.ts'

export interface GateAccess {
  gateCode: string
  tenantId: number
  /** Hours of the code; 'standard' means the facility's gate hours. */
  hours: GateCodesTable['time_zone_name']
  opens: boolean
  /** Numbers of the units that the code is for, sorted; empty once all are moved out of. */
  units: string[]
  /** Overlocked units because of which the code is refused; without lifted ones. */
  overlocked: string[]
  /** Whether the office has suspended the code. */
  suspended: boolean
}

const byNumber = new Intl.Collator('en-US', { numeric: true })

/** Returns a facility's active gate codes, sorted. Four queries, however many codes there are. */
export async function gateAccessOf(db: Kysely<Tables>, locationCode: string, now: Instant): Promise<GateAccess[]> {
  const [codes, leases, sold, overrides] = await Promise.all([
    db
      .selectFrom('gate_codes')
      .select(['gate_code', 'tenant_id', 'time_zone_name'])
      .where('location_code', '=', locationCode)
      .where('active', '=', 1)
      .orderBy('gate_code')
      .execute(),
    db
      .selectFrom('leases')
      .select(['lease_number', 'tenant_id', 'gate_code', 'unit_number', 'overlocked'])
      .where('location_code', '=', locationCode)
      .where('status', '!=', 'Closed')
      .where('gate_code', '!=', '')
      .execute(),
    codesOfWinners(db, locationCode),
    overridesInForce(db, { location_code: locationCode }, now),
  ])
  const of = (kind: 'suspended' | 'lifted') => overrides.filter((one) => one.kind === kind)
  const suspendedTenants = new Set(of('suspended').map((one) => one.tenant_id))
  const lifted = new Set(of('lifted').map((one) => one.lease_number))
  const key = (of: { tenant_id: number; gate_code: string }) => `${of.tenant_id} ${of.gate_code}`
  const byCode = Map.groupBy(leases, key)
  const byWinnersCode = Map.groupBy(leases, (lease) => sold.get(lease.lease_number) ?? '')
  return codes.map((row) => {
    const won = byWinnersCode.get(row.gate_code) ?? []
    if (won.length > 0) {
      return {
        gateCode: row.gate_code,
        tenantId: row.tenant_id,
        hours: row.time_zone_name,
        opens: true,
        overlocked: [],
        suspended: false,
        units: won.map((lease) => lease.unit_number),
      }
    }
    const all = byCode.get(key(row)) ?? []
    const given = all
      .filter((lease) => !sold.has(lease.lease_number))
      .sort((a, b) => byNumber.compare(a.unit_number, b.unit_number))
    const overlocked = given
      .filter((lease) => lease.overlocked === 1 && !lifted.has(lease.lease_number))
      .map((lease) => lease.unit_number)
    const suspended = suspendedTenants.has(row.tenant_id)
    return {
      gateCode: row.gate_code,
      tenantId: row.tenant_id,
      hours: row.time_zone_name,
      opens: !suspended && overlocked.length === 0 && (given.length > 0 || all.length === 0),
      units: given.map((lease) => lease.unit_number),
      overlocked,
      suspended,
    }
  })
}

type CodeOfLease = Pick<Selectable<LeasesTable>, 'location_code' | 'tenant_id' | 'gate_code' | 'status'>

/** Returns a lease's gate code; '' once it has ended, since its code may be reassigned. */
export const gateCodeOf = (lease: Pick<CodeOfLease, 'gate_code' | 'status'>): string =>
  lease.status === 'Closed' ? '' : lease.gate_code

/** Returns the hours of a lease's gate code; undefined where it is not active. */
async function liveHours(db: Kysely<Tables>, lease: CodeOfLease) {
  if (lease.status === 'Closed') return undefined
  const live = await db
    .selectFrom('gate_codes')
    .select('time_zone_name')
    .where((eb) => eb.and({ location_code: lease.location_code, tenant_id: lease.tenant_id }))
    .where('gate_code', '=', lease.gate_code)
    .where('active', '=', 1)
    .executeTakeFirst()
  return live?.time_zone_name
}

/** Returns whether a lease's gate code opens at any hour. */
export const opensAnyHour = async (db: Kysely<Tables>, lease: CodeOfLease): Promise<boolean> =>
  (await liveHours(db, lease)) === '24-hour'

/** Generates a gate code that is not active at the facility and activates it. Runs in the caller's transaction. */
export async function newGateCode(
  tx: Kysely<Tables>,
  services: Services,
  of: { locationCode: string; tenantId: number; leaseNumber: number; hours: 'standard' | '24-hour' },
): Promise<string> {
  const { locationCode } = of
  const taken = new Set<string>()
  for (let tries = 1; ; tries++) {
    // The insert detects the rare collisions; only after repeated ones are all active codes loaded.
    if (tries === 4) {
      const live = await tx
        .selectFrom('gate_codes')
        .select('gate_code')
        .where('location_code', '=', locationCode)
        .where('active', '=', 1)
        .execute()
      for (const row of live) taken.add(row.gate_code)
    }
    const code = drawGateCode(services.random.integer, (one) => taken.has(one))
    if (code === null) throw new Error(`Every gate code of ${locationCode} is taken`)
    if (await makeCodeLive(tx, services, of, code)) return code
    // Active already, or generated by another move-in that has committed since.
    taken.add(code)
  }
}

/** Activates a gate code; false where it is active at the facility already. */
export async function makeCodeLive(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  of: { locationCode: string; tenantId: number; leaseNumber: number; hours: 'standard' | '24-hour' },
  code: string,
): Promise<boolean> {
  const mine = await tx
    .insertInto('gate_codes')
    .values({
      location_code: of.locationCode,
      gate_code: code,
      tenant_id: of.tenantId,
      lease_number: of.leaseNumber,
      time_zone_name: of.hours,
      active: 1,
      created_at: services.clock.now(),
    })
    .onConflict((clash) => clash.doNothing())
    .returning('gate_code')
    .executeTakeFirst()
  return mine !== undefined
}

/** Sets a gate code's hours, standard or 24-hour. Runs in the caller's transaction. */
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
export async function endGateCode(
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

/** Deactivates an auction winner's code when the lease ends, unless other leases use it. */
export async function endWinnersGateCode(tx: Kysely<Tables>, lease: LeaseKey): Promise<void> {
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
