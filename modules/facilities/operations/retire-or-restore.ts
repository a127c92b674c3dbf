import { type Kysely, sql } from 'kysely'
import * as v from 'valibot'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { UnitStatus } from '../../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { isGateConnected } from '../../gate/load-and-lock-facility-gate.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { OUT_OF_SERVICE, RETIRED } from '../availability.ts'
import {
  isRentedOrHeld,
  loadRetirableUnits,
  type Retirable,
  type RetirableKind,
  type RetirableUnit,
  retirableKinds,
} from '../internal/units-to-retire-or-restore.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../lock-facility-for-setup.ts'
import { unitTypeName } from '../rules/size-label.ts'
import { gateStillConnected, parentRetired, unitsStillRented } from '../texts/setup-and-appointment-errors.ts'

interface RetirableRecord {
  /** Name for the audit event: '10 × 10 Indoor', 'unit 214'. */
  name: string
  retiredOn: IsoDate | null
  /** Whether the unit type or facility above it is retired. */
  isParentRetired: boolean
}

/**
 * Loads the unit, unit type or facility to retire or restore; undefined where it does not exist.
 * @param facility the locked facility
 */
async function loadRecord(
  tx: Kysely<Tables>,
  facility: { location_code: string; name: string; retired_on: IsoDate | null },
  { kind, id }: Retirable,
): Promise<RetirableRecord | undefined> {
  const isParentRetired = facility.retired_on !== null
  if (kind === 'facility') return { name: facility.name, retiredOn: facility.retired_on, isParentRetired: false }
  if (kind === 'unit_type') {
    const type = await tx
      .selectFrom('unit_types')
      .selectAll()
      .where((eb) => eb.and({ location_code: facility.location_code, unit_type_id: id }))
      .executeTakeFirst()
    return type && { name: unitTypeName(type), retiredOn: type.retired_on, isParentRetired }
  }
  const unit = await tx
    .selectFrom('units')
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'units.location_code')
        .onRef('unit_types.unit_type_id', '=', 'units.unit_type_id'),
    )
    .select(['unit_number', 'units.retired_on', 'unit_types.retired_on as type_retired_on'])
    .where('units.location_code', '=', facility.location_code)
    .where('unit_id', '=', id)
    .executeTakeFirst()
  return (
    unit && {
      name: `unit ${unit.unit_number}`,
      retiredOn: unit.retired_on,
      isParentRetired: isParentRetired || unit.type_retired_on !== null,
    }
  )
}

/**
 * Marks units as retired. None of them may be rented or held. A unit that awaits its inspection or is out of service
 * keeps its `held_by`.
 * @param kind what is retired: each unit by itself, or its unit type or facility
 */
async function retireUnits(
  tx: Kysely<Tables>,
  locationCode: string,
  units: RetirableUnit[],
  on: IsoDate,
  kind: RetirableKind,
): Promise<void> {
  const ids = units.map((unit) => unit.unit_id)
  if (ids.length === 0) return
  await tx
    .updateTable('units')
    .set({
      status: 'off',
      held_by: sql`case when status = 'off' then held_by else ${RETIRED} end`,
      held_until: null,
      retired_on: on,
      retired_with: kind,
    })
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
    .execute()
}

/**
 * Returns retired units to rental. A unit that awaited its inspection or was out of service when it was retired returns
 * to that state.
 */
async function restoreUnits(tx: Kysely<Tables>, locationCode: string, units: RetirableUnit[]): Promise<void> {
  const ids = units.map((unit) => unit.unit_id)
  if (ids.length === 0) return
  const outOfService = tx
    .selectFrom('units_out_of_service')
    .select('unit_id')
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
  await tx
    .updateTable('units')
    .set({ status: 'free', held_by: null, retired_on: null, retired_with: null })
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
    .where('status', '=', sql.lit<UnitStatus>('off'))
    .where('held_by', '=', RETIRED)
    .where('unit_id', 'not in', outOfService)
    .execute()
  // Earlier versions marked a unit out of service as held by `RETIRED` too; its row of `units_out_of_service` stayed.
  await tx
    .updateTable('units')
    .set({
      held_by: sql`case when held_by = ${RETIRED} then ${OUT_OF_SERVICE} else held_by end`,
      retired_on: null,
      retired_with: null,
    })
    .where('location_code', '=', locationCode)
    .where('unit_id', 'in', ids)
    .execute()
}

/**
 * Selects the units that were retired together with a record: those retired on the same day, but not by themselves. A
 * unit that an earlier release retired by itself on that day is selected too. With a facility, units of a retired unit
 * type are not selected.
 */
async function selectRetiredWith(
  tx: Kysely<Tables>,
  locationCode: string,
  kind: RetirableKind,
  retiredOn: IsoDate | null,
  units: RetirableUnit[],
): Promise<RetirableUnit[]> {
  if (kind === 'unit') return units
  const together = units.filter((unit) => unit.retired_on === retiredOn && unit.retired_with !== 'unit')
  if (kind === 'unit_type') return together
  const retiredTypes = await tx
    .selectFrom('unit_types')
    .select('unit_type_id')
    .where('location_code', '=', locationCode)
    .where('retired_on', 'is not', null)
    .execute()
  return together.filter((unit) => retiredTypes.every((type) => type.unit_type_id !== unit.unit_type_id))
}

/**
 * Returns whether a unit that was retired with its facility is retired with its unit type from now on, so that
 * restoring the facility leaves it to the unit type.
 */
const isTakenFromFacility = (kind: RetirableKind, unit: RetirableUnit, facility: { retired_on: IsoDate | null }) =>
  kind === 'unit_type' && unit.retired_on === facility.retired_on && unit.retired_with !== 'unit'

/** Marks a unit type or facility as retired, or restores it with null; `retireUnits` marks units. */
async function markRetired(
  tx: Kysely<Tables>,
  locationCode: string,
  { kind, id }: Retirable,
  on: IsoDate | null,
): Promise<void> {
  if (kind === 'unit_type')
    await tx
      .updateTable('unit_types')
      .set({ retired_on: on })
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', id)
      .execute()
  if (kind === 'facility')
    await tx.updateTable('locations').set({ retired_on: on }).where('location_code', '=', locationCode).execute()
}

/** Retires a unit, a unit type or a facility, or restores it. */
export const RetireOrRestore = officeOperation({
  name: 'SaveLetting',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(retirableKinds),
    /** Id of the unit or unit type; 0 for the facility itself. */
    id: v.pipe(v.number(), v.safeInteger()),
    retired: v.boolean(),
    reason: setupReason,
  }),
  example: { location_code: 'ATL01', kind: 'unit', id: 214, retired: true, reason: 'Now the cleaners’ room' },
  async work({ tx, services, audit }, input) {
    const { location_code: locationCode, retired } = input
    const facility = await lockFacility(tx, locationCode)
    const record = facility && (await loadRecord(tx, facility, input))
    if (!record) throw new RefusalError(recordNotFound)
    // The form offers only the opposite of the state that it showed, so the state has changed.
    if ((record.retiredOn !== null) === retired) throw refusalError(409, 'changed', changedSince)
    const loadedUnits = await loadRetirableUnits(tx, locationCode, input)
    const units = retired
      ? loadedUnits.filter((unit) => unit.retired_on === null || isTakenFromFacility(input.kind, unit, facility))
      : await selectRetiredWith(tx, locationCode, input.kind, record.retiredOn, loadedUnits)
    if (retired) {
      const now = services.clock.now()
      const occupied = units.filter((unit) => isRentedOrHeld(unit, now))
      if (occupied.length > 0)
        throw refusalError(409, 'still_let', unitsStillRented(occupied.map((unit) => unit.unit_number)))
      // A gate controller that is unplugged after the facility closes would be reported as silent without end.
      if (input.kind === 'facility' && (await isGateConnected(tx, locationCode)))
        throw refusalError(409, 'gate_connected', gateStillConnected)
      const today = todayIn(facility.time_zone, now)
      await retireUnits(tx, locationCode, units, today, input.kind)
      await markRetired(tx, locationCode, input, today)
    } else {
      if (record.isParentRetired) throw refusalError(409, 'within', parentRetired)
      await restoreUnits(tx, locationCode, units)
      await markRetired(tx, locationCode, input, null)
    }
    await audit({
      kind: retired ? 'letting.retired' : 'letting.restored',
      details: { what: input.kind === 'facility' ? record.name : `${record.name} at ${locationCode}` },
    })
    await recordFacilityChange(tx, services, locationCode)
    return { units: units.length }
  },
})
