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
import { parentRetired, unitsStillRented } from '../texts/setup.ts'

interface Thing {
  /** Name for the audit event: '10 × 10 Indoor', 'unit 214'. */
  name: string
  retiredOn: IsoDate | null
  /** Whether the unit type or facility above it is retired. */
  within: boolean
}

/**
 * Loads the unit, unit type or facility to retire or restore.
 * @param place the locked facility
 */
async function thingAt(
  tx: Kysely<Tables>,
  place: { location_code: string; name: string; retired_on: IsoDate | null },
  { kind, id }: Retirable,
): Promise<Thing | undefined> {
  const within = place.retired_on !== null
  if (kind === 'facility') return { name: place.name, retiredOn: place.retired_on, within: false }
  if (kind === 'unit_type') {
    const type = await tx
      .selectFrom('unit_types')
      .selectAll()
      .where((eb) => eb.and({ location_code: place.location_code, unit_type_id: id }))
      .executeTakeFirst()
    return type && { name: `${sizeLabel(type)} ${type.category_name}`, retiredOn: type.retired_on, within }
  }
  const unit = await tx
    .selectFrom('units')
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'units.location_code')
        .onRef('unit_types.unit_type_id', '=', 'units.unit_type_id'),
    )
    .select(['unit_number', 'units.retired_on', 'unit_types.retired_on as type_retired_on'])
    .where('units.location_code', '=', place.location_code)
    .where('unit_id', '=', id)
    .executeTakeFirst()
  return (
    unit && {
      name: `unit ${unit.unit_number}`,
      retiredOn: unit.retired_on,
      within: within || unit.type_retired_on !== null,
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
  const place = await lockFacility(tx, locationCode)
  const thing = place && (await thingAt(tx, place, input))
  if (!thing) return recordNotFound
  // The form only offers the opposite.
  if ((thing.retiredOn !== null) === retired) return refuse(409, 'changed', changedSince)
  const units = await loadRetirableUnits(tx, locationCode, input)
  if (retired) {
    const taken = units.filter((unit) => isRentedOrHeld(unit, services.clock.now()))
    if (taken.length > 0) return refuse(409, 'still_let', unitsStillRented(taken.map((unit) => unit.unit_number)))
    const today = todayIn(place.time_zone, services.clock.now())
    await retireUnits(tx, locationCode, units, today)
    await markRetired(tx, locationCode, input, today)
  } else {
    if (thing.within) return refuse(409, 'within', parentRetired)
    // Restores units that were retired on the same day; those retired on another day stay retired.
    await restoreUnits(
      tx,
      locationCode,
      units.filter((unit) => unit.retired_on !== null && unit.retired_on === thing.retiredOn),
    )
    await markRetired(tx, locationCode, input, null)
  }
  await writeAuditEvent(tx, services, staffActor(callers), {
    kind: retired ? 'letting.retired' : 'letting.restored',
    details: { what: input.kind === 'facility' ? thing.name : `${thing.name} at ${locationCode}` },
    permission: 'setup.save',
    locationCode,
    reason,
  })
  await recordFacilityChange(tx, services, locationCode)
  return succeed({ units: units.length })
}
