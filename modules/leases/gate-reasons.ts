import type { Kysely } from 'kysely'
import { formatInstantIn, type Instant, todayIn } from '../../domain/dates.ts'
import type { GateReason } from '../../domain/gate-state.ts'
import { formatShort } from '../../domain/plain-date.ts'
import type { LocationsTable, Tables } from '../../platform/schema/tables.ts'
import { soldAtAuction } from './gate.ts'
import { overridesInForce } from './gate-overrides.ts'
import type { Lease } from './ledger/totals.ts'

/** Why the gate opens or not, for each lease of one tenant, by lease number. @param leases all of the tenant's */
export async function gateReasons(
  db: Kysely<Tables>,
  location: Pick<LocationsTable, 'location_code' | 'gate_hours' | 'time_zone'>,
  leases: readonly Lease[],
  now: Instant,
): Promise<Map<number, GateReason>> {
  const open = leases.filter(({ status }) => status !== 'Closed')
  const [first] = open
  const reasons = new Map<number, GateReason>(leases.map((one) => [one.lease_number, { is: 'ended' }]))
  if (!first) return reasons
  const of = { location_code: location.location_code, tenant_id: first.tenant_id }
  const [overrides, codes, sold] = await Promise.all([
    overridesInForce(db, of, now),
    db
      .selectFrom('gate_codes')
      .select(['gate_code', 'time_zone_name'])
      .where((eb) => eb.and(of))
      .where('active', '=', 1)
      .execute(),
    Promise.all(open.map(async (one) => ((await soldAtAuction(db, one)) ? one.lease_number : 0))),
  ])
  const moment = (at: Instant) =>
    `${formatShort(todayIn(location.time_zone, at))} ${formatInstantIn(location.time_zone, at)}`
  // Of the facility's own words what holds for everybody: '5 AM to 9 PM; around the clock with …'.
  const hours = (location.gate_hours.split(';')[0] ?? '').trim().replace(/\.$/, '')
  const suspended = overrides.find(({ kind }) => kind === 'suspended')
  const lifted = (lease: Lease) =>
    overrides.find(({ kind, lease_number }) => kind === 'lifted' && lease_number === lease.lease_number)
  const locked = open.filter((one) => one.overlocked === 1 && !lifted(one))
  const reasonOf = (lease: Lease): GateReason => {
    const live = codes.find(({ gate_code }) => gate_code === lease.gate_code)
    const behind = locked.filter((one) => one.gate_code === lease.gate_code)
    if (sold.includes(lease.lease_number)) return { is: 'sold' }
    if (lease.gate_code === '') return { is: 'none' }
    if (!live) return { is: 'inactive' }
    if (suspended) return { is: 'suspended', until: moment(suspended.holds_until) }
    if (behind.length > 0)
      return {
        ...{ is: 'overlocked', units: behind.map((one) => one.unit_number), own: behind.includes(lease) },
        paidThrough: lease.paid_through,
      }
    const lift = lifted(lease)
    return {
      ...{ is: 'opens', hours: live.time_zone_name === '24-hour' ? 'at any hour' : hours },
      lifted: lift ? moment(lift.holds_until) : null,
    }
  }
  for (const lease of open) reasons.set(lease.lease_number, reasonOf(lease))
  return reasons
}
