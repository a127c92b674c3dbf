import { type Kysely, type Selectable, sql } from 'kysely'
import { formatInstantIn, type Instant, todayIn } from '../../domain/dates.ts'
import { formatShort } from '../../domain/plain-date.ts'
import type { LeasesTable, LocationsTable, Tables } from '../../platform/schema/tables.ts'
import { soldOf } from '../links/auction-sales.ts'
import { gateHoursWithout24 } from './rules/gate-hours.ts'
import type { GateReason } from './rules/gate-state.ts'

type Place = Pick<LocationsTable, 'location_code' | 'gate_hours' | 'time_zone'>

type GateLease = Pick<
  Selectable<LeasesTable>,
  'tenant_id' | 'lease_number' | 'unit_number' | 'status' | 'gate_code' | 'paid_through' | 'scheduled_move_out'
>

/** Facts that decide a tenant's gate access: active codes, overrides in force, overlocked units. */
export type GateFacts = Awaited<ReturnType<typeof gateFacts>>

/** Loads a tenant's gate facts in one statement. */
export function gateFacts(db: Kysely<Tables>, of: { location_code: string; tenant_id: number }, now: Instant) {
  const none = { number: sql<number | null>`cast(null as integer)`, until: sql<Instant | null>`cast(null as bigint)` }
  return db
    .selectFrom('gate_codes')
    .select([sql<string>`'code'`.as('kind'), 'gate_code as code', sql<string>`time_zone_name`.as('word')])
    .select([none.number.as('lease_number'), none.until.as('until')])
    .where((eb) => eb.and(of))
    .where('active', '=', 1)
    .unionAll(
      db
        .selectFrom('gate_overrides')
        .select([sql<string>`kind`.as('kind'), sql<string>`''`.as('code'), sql<string>`''`.as('word')])
        .select(['lease_number', sql<Instant | null>`holds_until`.as('until')])
        .where((eb) => eb.and(of))
        .where('ended_at', 'is', null)
        .where('holds_until', '>', now),
    )
    .unionAll(
      db
        .selectFrom('leases')
        .select([sql<string>`'overlocked'`.as('kind'), 'gate_code as code', 'unit_number as word'])
        .select(['lease_number', none.until.as('until')])
        .where((eb) => eb.and(of))
        .where('overlocked', '=', 1)
        .where('status', '!=', 'Closed'),
    )
    .execute()
}

/** Returns the numbers of overlocked leases whose overlock is not lifted. */
export const lockedLeases = (facts: GateFacts): number[] =>
  facts.flatMap(({ kind, lease_number }) =>
    kind === 'overlocked' && !facts.some((one) => one.kind === 'lifted' && one.lease_number === lease_number)
      ? (lease_number ?? [])
      : [],
  )

const byNumber = new Intl.Collator('en-US', { numeric: true })

/**
 * Returns why the gate opens or not, for leases of one tenant, by lease number.
 * @param known the tenant's gate facts, if already loaded
 */
export async function gateReasons(
  db: Kysely<Tables>,
  location: Place,
  leases: readonly GateLease[],
  now: Instant,
  known?: GateFacts,
): Promise<Map<number, GateReason>> {
  const open = leases.filter(({ status }) => status !== 'Closed')
  const [first] = open
  const reasons = new Map<number, GateReason>(leases.map((one) => [one.lease_number, { is: 'ended' }]))
  if (!first) return reasons
  const { location_code, time_zone } = location
  const [facts, sold] = await Promise.all([
    known ?? gateFacts(db, { location_code, tenant_id: first.tenant_id }, now),
    soldOf(db, location_code, open),
  ])
  const moment = (at: Instant) => `${formatShort(todayIn(time_zone, at))} ${formatInstantIn(time_zone, at)}`
  const latest = (kind: 'suspended' | 'lifted', lease: number | null) =>
    facts.find((one) => one.kind === kind && one.lease_number === lease)?.until ?? null
  const suspended = latest('suspended', null)
  const locking = lockedLeases(facts)
  const locked = facts.filter(
    (one) => one.kind === 'overlocked' && one.lease_number !== null && locking.includes(one.lease_number),
  )
  const hours = gateHoursWithout24(location.gate_hours).replace(/\.$/, '')
  const reasonOf = (lease: GateLease): GateReason => {
    const live = facts.find((one) => one.kind === 'code' && one.code === lease.gate_code)
    const behind = locked.filter((one) => one.code === lease.gate_code)
    if (sold.includes(lease.lease_number)) return { is: 'sold' }
    if (lease.gate_code === '') return { is: 'none' }
    if (!live) return { is: 'inactive' }
    if (suspended !== null) return { is: 'suspended', until: moment(suspended) }
    if (behind.length > 0)
      return {
        is: 'overlocked',
        units: behind.map((one) => one.word).sort(byNumber.compare),
        own: behind.some((one) => one.lease_number === lease.lease_number),
        paidThrough: lease.paid_through,
      }
    const lift = latest('lifted', lease.lease_number)
    const anyHour = live.word === '24-hour'
    return { is: 'opens', hours: anyHour ? 'at any hour' : hours, anyHour, lifted: lift === null ? null : moment(lift) }
  }
  for (const lease of open) reasons.set(lease.lease_number, reasonOf(lease))
  return reasons
}
