/** What a facility lets and what it costs: unit types, units, discounts, insurance, fees, the cost of a move-in. */
import * as v from 'valibot'
import { ContentCache } from '../../platform/database/content-cache.ts'
import { locationCode } from '../../platform/operations/input-fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { facilityFacts, MAX_CACHED_FACILITIES } from './facts.ts'

/** The same for a facility that does not exist and for the office, which lets nothing. */
export const noFacility = () => refuse(404, 'location_not_found', 'There is no such location.')

export const trueFalse = (value: boolean) => (value ? 'True' : 'False')

export const number = () => v.number()

export const word = () => v.string()

const listedUnit = v.object({
  UnitId: number(),
  UnitNumber: word(),
  UnitTypeId: number(),
  UnitTypeCode: word(),
  CategoryName: word(),
  Length: number(),
  Breadth: number(),
  FloorNo: number(),
  IsAvailable: word(),
})

type ListedUnit = v.InferInput<typeof listedUnit>

const readUnits = (services: Services, location: string) =>
  services.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no', 'retired_on'])
    .select(['left_coordinate', 'top_coordinate', 'length', 'width', 'rotate'])
    .where('location_code', '=', location)
    .orderBy('unit_number')
    .execute()

const cachedUnits = new ContentCache<Awaited<ReturnType<typeof readUnits>>>(MAX_CACHED_FACILITIES)

/** Retired ones among them. */
export const facilityUnits = async (services: Services, location: string) =>
  (await cachedUnits.one(services.db, location, () => readUnits(services, location))) ?? []

/** Whether its units can be let changes all the time: never cached. */
const unitStates = async (services: Services, location: string) =>
  services.db.read
    .selectFrom('units')
    .select(['unit_id', 'status', 'held_until'])
    .where('location_code', '=', location)
    .where('status', 'in', ['free', 'held', 'off'])
    .execute()

/** Never who is in a unit or how to open it: these lists are for everybody. None where nothing is let. */
async function listUnits(services: Services, location: string, freeOnly: boolean): Promise<ListedUnit[]> {
  const [facts, units, live] = await Promise.all([
    facilityFacts(services, [location]),
    facilityUnits(services, location),
    unitStates(services, location),
  ])
  const types = new Map(facts.get(location)?.unitTypes.map((type) => [type.unit_type_id, type]))
  const now = services.clock.now()
  const isFree = (unit: (typeof live)[number]) =>
    unit.status === 'free' || (unit.status === 'held' && unit.held_until !== null && unit.held_until <= now)
  const free = new Set(live.filter(isFree).map((unit) => unit.unit_id))
  const off = new Set(live.filter((unit) => unit.status === 'off').map((unit) => unit.unit_id))
  return units.flatMap((unit): ListedUnit[] => {
    const type = types.get(unit.unit_type_id)
    const available = free.has(unit.unit_id)
    if (!type || (freeOnly ? !available : off.has(unit.unit_id))) return []
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
        IsAvailable: trueFalse(available),
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
  summary: 'All units of a facility; never names, addresses or codes.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Unit: v.array(listedUnit) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Unit: [unitExample] } },
  run: async (services, { location_code }) => succeed({ Unit: await listUnits(services, location_code, false) }),
})
