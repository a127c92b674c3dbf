import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { LeasesTable, LocationsTable, Tables } from '../../platform/schema/tables.ts'
import { loadGateFacts } from './gate-facts.ts'
import { formatMoment } from './internal/format-moment.ts'
import { type GateSync, loadGateSyncStates, mayStillOpen } from './internal/load-gate-sync-states.ts'
import { accessByCode, accessByLease, type GateFacts, type LeaseAccess } from './rules/gate-access.ts'
import type { GateReason } from './rules/gate-reason-texts.ts'
import { gateHoursText } from './rules/parse-and-format-gate-week.ts'

type GateLocation = Pick<LocationsTable, 'location_code' | 'gate_hours' | 'time_zone'>

type GateLease = Pick<Selectable<LeasesTable>, 'tenant_id' | 'lease_number' | 'status' | 'paid_through'>

/**
 * Returns why the gate opens or does not open for leases of one tenant, by lease number.
 * @param leases leases of one tenant at this facility
 * @param loadedFacts the tenant's gate facts, if already loaded
 */
export async function loadGateReasons(
  db: Kysely<Tables>,
  location: GateLocation,
  leases: readonly GateLease[],
  now: Instant,
  loadedFacts?: GateFacts,
): Promise<Map<number, GateReason>> {
  const [first] = leases
  if (!first) return new Map()
  const tenantKey = { location_code: location.location_code, tenant_id: first.tenant_id }
  const noFacts: GateFacts = { codes: [], leases: [], overrides: [] }
  const areAllClosed = leases.every(({ status }) => status === 'Closed')
  const facts = areAllClosed ? noFacts : (loadedFacts ?? (await loadGateFacts(db, tenantKey, now)))
  const access = accessByLease(facts, now)
  const sync = await loadGateSyncStates(db, tenantKey, accessByCode(facts, now), now)
  const reasons = new Map<number, GateReason>()
  for (const lease of leases) {
    const leaseAccess = lease.status === 'Closed' ? undefined : access.get(lease.lease_number)
    const code = facts.leases.find(({ leaseNumber }) => leaseNumber === lease.lease_number)?.code ?? ''
    const reason: GateReason = leaseAccess
      ? describeAccess(leaseAccess, lease, location, { sync, code })
      : { is: 'ended' }
    const isBlocked = reason.is === 'suspended' || reason.is === 'overlocked'
    if (sync.opensEarlierCode || (isBlocked && mayStillOpen(sync, code))) reason.stillOpens = true
    reasons.set(lease.lease_number, reason)
  }
  return reasons
}

function describeAccess(
  access: LeaseAccess,
  lease: GateLease,
  { time_zone, gate_hours }: GateLocation,
  { sync, code }: { sync: GateSync; code: string },
): GateReason {
  const { week, zone } = sync
  switch (access.is) {
    case 'suspended':
      return { is: 'suspended', until: formatMoment(time_zone, access.until) }
    case 'overlocked':
      return { is: 'overlocked', units: access.units, own: access.own, paidThrough: lease.paid_through }
    case 'opens': {
      const anyHour = access.hours === '24-hour'
      const hours = anyHour ? 'at any hour' : gateHoursText(week, gate_hours)
      const lifted = access.liftedUntil === null ? null : formatMoment(time_zone, access.liftedUntil)
      return { is: 'opens', hours, week, zone, anyHour, lifted, taken: sync.states.get(code) ?? 'unconnected' }
    }
    default:
      return { is: access.is }
  }
}
