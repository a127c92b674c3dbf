import * as v from 'valibot'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isAvailable, isFree } from '../availability.ts'
import { loadFacilityFacts } from '../facility-facts-for-pricing.ts'
import { wireBoolean } from '../facility-not-found-and-wire-boolean.ts'

const listedUnit = v.object({
  UnitId: v.number(),
  UnitNumber: v.string(),
  UnitTypeId: v.number(),
  UnitTypeCode: v.string(),
  CategoryName: v.string(),
  Length: v.number(),
  Breadth: v.number(),
  FloorNo: v.number(),
  IsAvailable: v.string(),
})

type ListedUnit = v.InferInput<typeof listedUnit>

const loadUnits = async (services: Services, location: string, freeOnly: boolean, now: Instant) =>
  services.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no', 'status', 'held_until'])
    .where('location_code', '=', location)
    .where(freeOnly ? isAvailable(now) : (eb) => eb('status', '!=', 'off'))
    .orderBy('unit_number')
    .execute()

/**
 * Lists a facility's units for the public, without tenants or gate codes; empty for an unknown facility or the operator's
 * office.
 */
async function listUnits(services: Services, location: string, freeOnly: boolean): Promise<ListedUnit[]> {
  const now = services.clock.now()
  const [facts, units] = await Promise.all([
    loadFacilityFacts(services, [location]),
    loadUnits(services, location, freeOnly, now),
  ])
  const types = new Map(facts.get(location)?.unitTypes.map((type) => [type.unit_type_id, type]))
  return units.flatMap((unit): ListedUnit[] => {
    const type = types.get(unit.unit_type_id)
    if (!type) return []
    return [
      {
        UnitId: unit.unit_id,
        UnitNumber: unit.unit_number,
        UnitTypeId: unit.unit_type_id,
        UnitTypeCode: type.unit_type_code,
        CategoryName: type.category_name,
        Length: type.length,
        Breadth: type.breadth,
        FloorNo: unit.floor_no,
        IsAvailable: wireBoolean(isFree(unit, now)),
      },
    ]
  })
}

const unitExample = {
  UnitId: 214,
  UnitNumber: '427',
  UnitTypeId: 2,
  UnitTypeCode: 'CC0510',
  CategoryName: 'Climate Controlled',
  Length: 5,
  Breadth: 10,
  FloorNo: 4,
  IsAvailable: 'True',
}

export const GetUnitsList = operation({
  name: 'GetUnitsList',
  summary: 'The units of a facility that can be rented now.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Unit: v.array(listedUnit) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Unit: [unitExample] } },
  run: async (services, { location_code }) => succeed({ Unit: await listUnits(services, location_code, true) }),
})

export const GetAllUnits = operation({
  name: 'GetAllUnits',
  summary: 'All units of a facility but those out of service; never names, addresses or codes.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Unit: v.array(listedUnit) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Unit: [unitExample] } },
  run: async (services, { location_code }) => succeed({ Unit: await listUnits(services, location_code, false) }),
})
