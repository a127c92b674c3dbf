import type { Kysely, Selectable } from 'kysely'
import { formatInstantIn, type Instant, todayIn } from '../../domain/dates.ts'
import { formatShort } from '../../domain/plain-date.ts'
import type { LeasesTable, LocationsTable, Tables } from '../../platform/schema/tables.ts'
import { gateFacts } from './gate-facts.ts'
import {
  accessByCode,
  accessByLease,
  type GateFacts,
  type GateSyncState,
  type LeaseAccess,
} from './rules/gate-access.ts'
import type { GateWeek } from './rules/gate-hours.ts'
import type { GateReason } from './rules/gate-state.ts'
import { gateHoursText } from './rules/gate-week.ts'
import { loadGateSyncStates } from './taken-codes.ts'

type Place = Pick<LocationsTable, 'location_code' | 'gate_hours' | 'time_zone'>

type GateLease = Pick<Selectable<LeasesTable>, 'tenant_id' | 'lease_number' | 'status' | 'paid_through'>

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
  const first = leases.find(({ status }) => status !== 'Closed')
  const reasons = new Map<number, GateReason>(leases.map((lease) => [lease.lease_number, { is: 'ended' }]))
  if (!first) return reasons
  const whose = { location_code: location.location_code, tenant_id: first.tenant_id }
  const facts = known ?? (await gateFacts(db, whose, now))
  const access = accessByLease(facts, now)
  const { week, states } = await loadGateSyncStates(db, whose, accessByCode(facts, now), now)
  for (const lease of leases) {
    const found = access.get(lease.lease_number)
    const code = facts.leases.find((one) => one.leaseNumber === lease.lease_number)?.code ?? ''
    if (found && lease.status !== 'Closed')
      reasons.set(
        lease.lease_number,
        inWords(found, lease, location, { week, taken: states.get(code) ?? 'unconnected' }),
      )
  }
  return reasons
}

function inWords(
  access: LeaseAccess,
  lease: GateLease,
  { time_zone, gate_hours }: Place,
  { week, taken }: { week: GateWeek | null; taken: GateSyncState },
): GateReason {
  const moment = (at: Instant) => `${formatShort(todayIn(time_zone, at))} ${formatInstantIn(time_zone, at)}`
  switch (access.is) {
    case 'suspended':
      return { is: 'suspended', until: moment(access.until) }
    case 'overlocked':
      return { is: 'overlocked', units: access.units, own: access.own, paidThrough: lease.paid_through }
    case 'opens': {
      const anyHour = access.hours === '24-hour'
      const hours = anyHour ? 'at any hour' : gateHoursText(week, gate_hours)
      const lifted = access.liftedUntil === null ? null : moment(access.liftedUntil)
      return { is: 'opens', hours, week, anyHour, lifted, taken }
    }
    default:
      return { is: access.is }
  }
}
