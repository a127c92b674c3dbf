/**
 * A tenant's gate access as the office sees it: whether the gate opens, why, and what can be changed. Never includes
 * the code.
 */
import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { paidWinnerOfLease } from '../links/auction-sales.ts'
import { overridesInForce } from './gate-overrides.ts'

interface Override {
  overrideId: string
  until: Instant
  reason: string
}

export interface GateUnit {
  leaseNumber: number
  unitNumber: string
  overlocked: boolean
  /** Override that lifts the unit's overlock; null without one. */
  lifted: Override | null
}

export interface GateState {
  opens: boolean
  /** Hours of the code: '24-hour' if one of the leases pays for it. */
  hours: 'standard' | '24-hour'
  /** When the newest active code was created, epoch milliseconds; null without one. */
  codeSince: Instant | null
  units: GateUnit[]
  suspended: Override | null
  /** Identifies this state, so that a form made from an older one is refused. */
  mark: string
}

/** Loads a tenant's gate state; null where they have no open lease at the facility. */
export async function gateState(
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number },
  now: Instant,
): Promise<GateState | null> {
  const whose = { location_code: of.locationCode, tenant_id: of.tenantId }
  const leases = await db
    .selectFrom('leases')
    .select(['lease_number', 'unit_number', 'gate_code', 'overlocked'])
    .where((eb) => eb.and(whose))
    .where('status', '!=', 'Closed')
    .where(({ not, exists }) => not(exists(paidWinnerOfLease(db))))
    .orderBy('lease_number')
    .execute()
  if (leases.length === 0) return null
  const given = new Set(leases.map((lease) => lease.gate_code))
  const live = await db
    .selectFrom('gate_codes')
    .select(['gate_code', 'time_zone_name', 'created_at'])
    .where((eb) => eb.and(whose))
    .where('active', '=', 1)
    .execute()
  const codes = live.filter((code) => given.has(code.gate_code))
  const overrides = await overridesInForce(db, whose, now)
  const override = (kind: 'suspended' | 'lifted', lease: number | null): Override | null => {
    const one = overrides.findLast((each) => each.kind === kind && each.lease_number === lease)
    return one ? { overrideId: one.override_id, until: one.holds_until, reason: one.reason } : null
  }
  const units = leases.map((lease) => ({
    leaseNumber: lease.lease_number,
    unitNumber: lease.unit_number,
    overlocked: lease.overlocked === 1,
    lifted: override('lifted', lease.lease_number),
  }))
  const suspended = override('suspended', null)
  return {
    opens: codes.length > 0 && suspended === null && units.every((unit) => !unit.overlocked || unit.lifted !== null),
    hours: codes.some((code) => code.time_zone_name === '24-hour') ? '24-hour' : 'standard',
    codeSince: codes.length === 0 ? null : Math.max(...codes.map((code) => code.created_at)),
    units,
    suspended,
    mark: [
      codes.map((code) => code.created_at).sort(),
      units.map((unit) => `${unit.leaseNumber}${unit.overlocked ? 'o' : ''}`),
      overrides.map((one) => one.override_id),
    ].join('/'),
  }
}
