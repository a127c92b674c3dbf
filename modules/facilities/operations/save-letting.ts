import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { isGateConnected } from '../../gate/gate-rows.ts'
import {
  isRentedOrHeld,
  loadRetirableUnits,
  markRetired,
  type Retirable,
  restoreUnits,
  retirableKinds,
  retireUnits,
} from '../retiring.ts'
import { sizeLabel } from '../rules/size-label.ts'
import { lockFacility, recordFacilityChange, setupReason } from '../setup-lock.ts'
import { gateStillConnected, parentRetired, unitsStillRented } from '../texts/setup.ts'

interface RetirableRecord {
  /** Name for the audit event: '10 × 10 Indoor', 'unit 214'. */
  name: string
  retiredOn: IsoDate | null
  /** Whether the unit type or facility above it is retired. */
  isParentRetired: boolean
}

/**
 * Loads the unit, unit type or facility to retire or restore.
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
    return type && { name: `${sizeLabel(type)} ${type.category_name}`, retiredOn: type.retired_on, isParentRetired }
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

/** Retires a unit, a unit type or a facility, or restores it. */
export const SaveLetting = internalOperation({
  name: 'SaveLetting',
  access: { staff: mayAtFacility('setup.save') },
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(retirableKinds),
    /** Id of the unit or unit type; 0 for the facility itself. */
    id: v.pipe(v.number(), v.integer()),
    retired: v.boolean(),
    reason: setupReason,
  }),
  example: {
    input: { location_code: 'ATL01', kind: 'unit', id: 214, retired: true, reason: 'Now the cleaners’ room' },
  },
  run: (services, input, callers) => services.db.transaction((tx) => save(tx, services, input, callers)),
})

async function save(
  tx: Kysely<Tables>,
  services: Services,
  input: Retirable & { location_code: string; retired: boolean; reason: string },
  callers: Callers,
) {
  const { location_code: locationCode, retired, reason } = input
  const facility = await lockFacility(tx, locationCode)
  const record = facility && (await loadRecord(tx, facility, input))
  if (!record) return recordNotFound
  // The form offers only the opposite of the state that it showed, so the state has changed.
  if ((record.retiredOn !== null) === retired) return refuse(409, 'changed', changedSince)
  const units = await loadRetirableUnits(tx, locationCode, input)
  if (retired) {
    const occupied = units.filter((unit) => isRentedOrHeld(unit, services.clock.now()))
    if (occupied.length > 0) return refuse(409, 'still_let', unitsStillRented(occupied.map((unit) => unit.unit_number)))
    // A controller that is unplugged after the facility is sold would be reported as silent without end.
    if (input.kind === 'facility' && (await isGateConnected(tx, locationCode)))
      return refuse(409, 'gate_connected', gateStillConnected)
    const today = todayIn(facility.time_zone, services.clock.now())
    await retireUnits(tx, locationCode, units, today)
    await markRetired(tx, locationCode, input, today)
  } else {
    if (record.isParentRetired) return refuse(409, 'within', parentRetired)
    // Restores units that were retired on the same day; those retired on another day stay retired.
    await restoreUnits(
      tx,
      locationCode,
      units.filter((unit) => unit.retired_on !== null && unit.retired_on === record.retiredOn),
    )
    await markRetired(tx, locationCode, input, null)
  }
  await writeAuditEvent(tx, services, staffActor(callers), {
    kind: retired ? 'letting.retired' : 'letting.restored',
    details: { what: input.kind === 'facility' ? record.name : `${record.name} at ${locationCode}` },
    permission: 'setup.save',
    locationCode,
    reason,
  })
  await recordFacilityChange(tx, services, locationCode)
  return succeed({ units: units.length })
}
