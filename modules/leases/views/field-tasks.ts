/** Lists field work at facilities: units to verify after a move-out, locks to set and to remove. */

import { type Kysely, sql } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { AWAITING_INSPECTION } from '../../facilities/availability.ts'
import { isOverlockLifted } from '../../gate/gate-overrides.ts'
import { selectLastClosedLease } from '../last-closed-lease-of-unit.ts'

/** A unit to verify after a move-out, or whose lock is to be set or removed. */
export interface FieldTask {
  kind: 'verify' | 'set lock' | 'take lock off'
  locationCode: string
  unitNumber: string
  floor: number
  leaseNumber: number
  tenantId: number
  /** When the lease closed, for a unit to verify; null for locks. */
  since: IsoDate | null
}

/** Compares units by facility, floor and number: the order of a walk through the facility. */
export const compareByWalkingOrder = (
  a: { locationCode: string; floor: number; unitNumber: string },
  b: { locationCode: string; floor: number; unitNumber: string },
): number =>
  a.locationCode.localeCompare(b.locationCode) || a.floor - b.floor || compareUnitNumbers(a.unitNumber, b.unitNumber)

/**
 * Returns the tasks of field staff at the given facilities, in walking order: units to verify after a move-out, and
 * locks to set or remove. A unit that still has our lock is to be verified once the lock is off.
 */
export async function loadFieldTasks(services: Pick<Services, 'db' | 'clock'>, codes: string[]): Promise<FieldTask[]> {
  if (codes.length === 0) return []
  const { read } = services.db
  const now = services.clock.now()
  const [unitsToVerify, toLock, toUnlock] = await Promise.all([
    loadUnitsToVerify(read, codes),
    read
      .selectFrom('leases')
      .innerJoin('units', (join) =>
        join.onRef('units.location_code', '=', 'leases.location_code').onRef('units.unit_id', '=', 'leases.unit_id'),
      )
      .leftJoin('locks_seen', (join) =>
        join
          .onRef('locks_seen.location_code', '=', 'leases.location_code')
          .onRef('locks_seen.lease_number', '=', 'leases.lease_number')
          .on('locks_seen.state', '=', 'on'),
      )
      .select(['leases.location_code', 'leases.unit_number', 'leases.lease_number', 'tenant_id', 'floor_no'])
      .where('leases.location_code', 'in', codes)
      .where('overlocked', '=', sql.lit(1))
      .where('leases.status', '!=', 'Closed')
      .where('locks_seen.state', 'is', null)
      .where((eb) => eb.not(isOverlockLifted(now)))
      .execute(),
    read
      .selectFrom('locks_seen')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'locks_seen.location_code')
          .onRef('leases.lease_number', '=', 'locks_seen.lease_number'),
      )
      .innerJoin('units', (join) =>
        join.onRef('units.location_code', '=', 'leases.location_code').onRef('units.unit_id', '=', 'leases.unit_id'),
      )
      .select(['leases.location_code', 'leases.unit_number', 'leases.lease_number', 'tenant_id', 'floor_no'])
      .where('locks_seen.location_code', 'in', codes)
      .where('locks_seen.state', '=', sql.lit('on'))
      .where((eb) =>
        eb.or([
          eb('leases.status', '=', 'Closed'),
          eb('overlocked', '=', 0),
          eb('overlocked', 'is', null),
          isOverlockLifted(now),
        ]),
      )
      .execute(),
  ])
  const task = (kind: FieldTask['kind']) => (row: (typeof toLock)[number]) => ({
    kind,
    locationCode: row.location_code,
    unitNumber: row.unit_number,
    floor: row.floor_no,
    leaseNumber: row.lease_number,
    tenantId: row.tenant_id,
    since: null,
  })
  const hasNoLockOn = ({ locationCode, leaseNumber }: FieldTask) =>
    !toUnlock.some((row) => row.location_code === locationCode && row.lease_number === leaseNumber)
  return [
    ...unitsToVerify.filter(hasNoLockOn),
    ...toLock.map(task('set lock')),
    ...toUnlock.map(task('take lock off')),
  ].sort(compareByWalkingOrder)
}

/** Returns units that await inspection, with their last closed lease; units without one are left out. */
async function loadUnitsToVerify(db: Kysely<Tables>, codes: string[]): Promise<FieldTask[]> {
  const units = await db
    .selectFrom('units')
    .select(['units.location_code', 'units.unit_number', 'floor_no'])
    // A subquery per unit, so that no plan scans all leases of a facility.
    .select((eb) => selectLastClosedLease(eb).as('lease_number'))
    .where('units.location_code', 'in', codes)
    .where('units.status', '=', 'off')
    .where('held_by', '=', AWAITING_INSPECTION)
    .where('retired_on', 'is', null)
    .execute()
  const numbers = units.flatMap((unit) => unit.lease_number ?? [])
  if (numbers.length === 0) return []
  const leases = await db
    .selectFrom('leases')
    .select(['location_code', 'lease_number', 'tenant_id', 'closed_on'])
    .where('location_code', 'in', codes)
    .where('lease_number', 'in', numbers)
    .execute()
  const leaseByNumber = new Map(leases.map((lease) => [`${lease.location_code} ${lease.lease_number}`, lease]))
  return units.flatMap((unit): FieldTask[] => {
    const lease = leaseByNumber.get(`${unit.location_code} ${unit.lease_number}`)
    if (!lease) return []
    return [
      {
        kind: 'verify',
        locationCode: unit.location_code,
        unitNumber: unit.unit_number,
        floor: unit.floor_no,
        leaseNumber: lease.lease_number,
        tenantId: lease.tenant_id,
        since: lease.closed_on,
      },
    ]
  })
}
