import { middleOf, type UnitPlace } from '../../domain/nearest-unit.ts'
import type { Services } from '../../platform/operations/services.ts'
import { isAvailable } from './availability.ts'
import { facilityUnits } from './units.ts'

export interface UnitToChoose extends UnitPlace {
  free: boolean
}

/** The units of a type, free and not; those let no more are left out. */
export async function unitsToChoose(
  services: Services,
  locationCode: string,
  unitTypeId: number,
): Promise<UnitToChoose[]> {
  const [units, live] = await Promise.all([
    facilityUnits(services, locationCode),
    services.db.read
      .selectFrom('units')
      .select('unit_id')
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', unitTypeId)
      .where(isAvailable(services.clock.now()))
      .execute(),
  ])
  const free = new Set(live.map((unit) => unit.unit_id))
  return units
    .filter((unit) => unit.unit_type_id === unitTypeId && unit.retired_on === null)
    .map(({ unit_id, unit_number, floor_no, left_coordinate: left, top_coordinate: top, length, width }) => ({
      ...{ unitId: unit_id, number: unit_number, floor: floor_no, free: free.has(unit_id) },
      middle: left === null || top === null ? null : middleOf({ left, top, length, width }),
    }))
}
