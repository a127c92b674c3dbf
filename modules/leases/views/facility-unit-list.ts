/** Lists a facility's units as the office sees them, and loads names of tenants and the tenants of reservations. */

import { type Kysely, sql } from 'kysely'
import type { LeaseStatus } from '../../../domain/lease-status.ts'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { AWAITING_INSPECTION } from '../../facilities/availability.ts'
import type { UnitState } from '../../facilities/rules/office-unit-state-names.ts'
import { isOverlockLifted } from '../../gate/gate-overrides.ts'
import { compareByWalkingOrder } from './field-tasks.ts'

/** Current data of a unit for the office, with its lease and hold. */
export interface CurrentUnit {
  locationCode: string
  unitId: number
  unitNumber: string
  unitTypeId: number
  floor: number
  state: UnitState
  /** End of a live hold, epoch milliseconds; null otherwise. */
  heldUntil: Instant | null
  /** Reservation code of a live hold; null otherwise. */
  heldBy: string | null
  lease: {
    leaseNumber: number
    tenantId: number
    status: LeaseStatus
    rent: Cents
    balance: Cents
    movesOut: IsoDate | null
    /** Overlock according to the ledger, even if a staff member has lifted it. */
    overlocked: boolean
    lifted: boolean
  } | null
  /** Whether staff last saw a lock of the facility on the unit's door. */
  lockOn: boolean
  outOfService: { reason: string; backOn: IsoDate | null } | null
}

/**
 * Returns a facility's units in walking order, without retired ones. Four queries, however many units there are.
 * @param only limits the result to one unit, retired or not
 */
export async function loadCurrentUnits(
  services: Services,
  locationCode: string,
  only?: { unitId: number },
): Promise<CurrentUnit[]> {
  const { read } = services.db
  const now = services.clock.now()
  const onlyUnitId = only?.unitId
  const [units, leases, outOfService, locks] = await Promise.all([
    read
      .selectFrom('units')
      .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no', 'status', 'held_by', 'held_until', 'retired_on'])
      .where('location_code', '=', locationCode)
      .where((eb) => (onlyUnitId === undefined ? eb('retired_on', 'is', null) : eb('unit_id', '=', onlyUnitId)))
      .execute(),
    loadOpenLeases(read, locationCode, now, onlyUnitId),
    read.selectFrom('units_out_of_service').selectAll().where('location_code', '=', locationCode).execute(),
    read
      .selectFrom('locks_seen')
      .select('unit_number')
      .where('location_code', '=', locationCode)
      .where('state', '=', sql.lit('on'))
      .execute(),
  ])
  const leaseByUnit = new Map(leases.map((row) => [row.unit_id, row]))
  const serviceByUnit = new Map(outOfService.map((row) => [row.unit_id, row]))
  const locked = new Set(locks.map((row) => row.unit_number))
  return units
    .map((unit): CurrentUnit => {
      const lease = leaseByUnit.get(unit.unit_id)
      const isHeld = unit.status === 'held' && unit.held_until !== null && unit.held_until > now
      const service = unit.status === 'off' ? serviceByUnit.get(unit.unit_id) : undefined
      return {
        locationCode,
        unitId: unit.unit_id,
        unitNumber: unit.unit_number,
        unitTypeId: unit.unit_type_id,
        floor: unit.floor_no,
        state: stateOf(unit, isHeld, lease),
        heldUntil: isHeld ? unit.held_until : null,
        heldBy: isHeld ? unit.held_by : null,
        lease: lease
          ? {
              leaseNumber: lease.lease_number,
              tenantId: lease.tenant_id,
              status: lease.status,
              rent: lease.rent,
              balance: lease.balance,
              movesOut: lease.scheduled_move_out,
              overlocked: lease.overlocked === 1,
              lifted: Boolean(lease.lifted),
            }
          : null,
        lockOn: locked.has(unit.unit_number),
        outOfService: service ? { reason: service.reason, backOn: service.back_on } : null,
      }
    })
    .sort(compareByWalkingOrder)
}

function stateOf(
  unit: { status: string; held_by: string | null; retired_on: IsoDate | null },
  isHeld: boolean,
  lease: { overlocked: 0 | 1 | null; lifted: unknown } | undefined,
): UnitState {
  if (unit.status === 'off' && unit.retired_on !== null) return 'retired'
  if (unit.status === 'off') return unit.held_by === AWAITING_INSPECTION ? 'to verify' : 'out of service'
  if (unit.status === 'rented') return lease?.overlocked === 1 && !lease.lifted ? 'overlocked' : 'rented'
  return isHeld ? 'held' : 'free'
}

const loadOpenLeases = (db: Kysely<Tables>, locationCode: string, now: Instant, unitId: number | undefined) =>
  db
    .selectFrom('leases')
    .select(['unit_id', 'lease_number', 'tenant_id', 'status', 'rent', 'balance', 'scheduled_move_out', 'overlocked'])
    .select(isOverlockLifted(now).as('lifted'))
    .where('location_code', '=', locationCode)
    .where('status', '!=', 'Closed')
    .$call(optionalCondition(unitId, (query, id) => query.where('unit_id', '=', id)))
    .execute()

/** Returns names of a facility's tenants, by tenant id. */
export async function loadTenantNames(
  db: Kysely<Tables>,
  locationCode: string,
  tenantIds: number[],
): Promise<Map<number, string>> {
  if (tenantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('tenants')
    .select(['tenant_id', 'first', 'last'])
    .where('location_code', '=', locationCode)
    .where('tenant_id', 'in', [...new Set(tenantIds)])
    .execute()
  return new Map(rows.map((row) => [row.tenant_id, `${row.first} ${row.last}`.trim()]))
}

/** Returns the tenant id of each of these reservations, by reservation code. */
export async function loadReservationTenants(
  db: Kysely<Tables>,
  locationCode: string,
  codes: string[],
): Promise<Map<string, number>> {
  if (codes.length === 0) return new Map()
  const rows = await db
    .selectFrom('reservations')
    .select(['reservation_code', 'tenant_id'])
    .where('location_code', '=', locationCode)
    .where('reservation_code', 'in', codes)
    .execute()
  return new Map(rows.map((row) => [row.reservation_code, row.tenant_id]))
}
