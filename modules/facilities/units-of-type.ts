import type { Services } from '../../platform/operations/services.ts'
import { isFree } from './availability.ts'
import { type UnitToChoose, unitCenter } from './rules/nearest-unit-to-another-unit.ts'

/** Loads the units of a type, free or not, without retired ones. */
export async function loadUnitsOfType(
  services: Services,
  locationCode: string,
  unitTypeId: number,
): Promise<UnitToChoose[]> {
  const now = services.clock.now()
  const units = await services.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'floor_no', 'status', 'held_until'])
    .select(['left_coordinate', 'top_coordinate', 'length', 'width'])
    .where('location_code', '=', locationCode)
    .where('unit_type_id', '=', unitTypeId)
    .where('retired_on', 'is', null)
    .orderBy('unit_number')
    .execute()
  return units.map((unit) => {
    const { left_coordinate: left, top_coordinate: top, length, width } = unit
    return {
      unitId: unit.unit_id,
      number: unit.unit_number,
      floor: unit.floor_no,
      free: isFree(unit, now),
      middle: left === null || top === null ? null : unitCenter({ left, top, length, width }),
    }
  })
}
