import * as v from 'valibot'
import { ContentCache } from '../../../platform/database/content-cache.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facility-facts-for-pricing.ts'
import { type MapUnit, mapUnitSchema } from '../rules/floor-map-wire-format.ts'

/** Maximum number of facilities with a cached map. A map of 600 units takes 90 kB; reading it costs 2.5 times as much. */
const MAX_CACHED_MAPS = 500

const cachedMaps = new ContentCache<MapUnit[]>(MAX_CACHED_MAPS)

async function loadMap(
  services: Services,
  locationCode: string,
  { unitTypes }: Pick<FacilityFacts, 'unitTypes'>,
): Promise<MapUnit[]> {
  const [units, fixtures] = await Promise.all([
    services.db.read
      .selectFrom('units')
      .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no'])
      .select(['left_coordinate', 'top_coordinate', 'length', 'width', 'rotate'])
      .where('location_code', '=', locationCode)
      .where('retired_on', 'is', null)
      .orderBy('unit_id')
      .execute(),
    services.db.read
      .selectFrom('map_fixtures')
      .selectAll()
      .where('location_code', '=', locationCode)
      .orderBy('fixture_id')
      .execute(),
  ])
  const categories = new Map(unitTypes.map((type) => [type.unit_type_id, type.category_name]))
  const placed = units.flatMap((row): MapUnit[] =>
    row.left_coordinate === null || row.top_coordinate === null
      ? []
      : [
          {
            unit_id: row.unit_id,
            unit_no: row.unit_number,
            category_name: categories.get(row.unit_type_id) ?? '',
            floor_no: row.floor_no,
            left_coordinate: row.left_coordinate,
            top_coordinate: row.top_coordinate,
            length: row.length,
            width: row.width,
            rotate: row.rotate,
            system: false,
            system_rotation: 0,
          },
        ],
  )
  const fixed = fixtures.map(
    (row): MapUnit => ({
      unit_id: 0,
      unit_no: '',
      floor_no: row.floor_no,
      left_coordinate: row.left_coordinate,
      top_coordinate: row.top_coordinate,
      length: row.length,
      width: row.width,
      rotate: row.rotate,
      system: true,
      category_name: row.category_name,
      system_rotation: row.system_rotation,
    }),
  )
  return [...placed, ...fixed]
}

/** Returns the units and fixtures on a facility's map, with their positions. */
export const getLocationUnits = operation({
  name: 'GET /api/location_units',
  summary: 'What stands where on a location’s map; never names, addresses or codes. Empty where there is no map.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.array(mapUnitSchema),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: [
      {
        unit_id: 214,
        unit_no: '427',
        floor_no: 4,
        left_coordinate: 146,
        top_coordinate: 50,
        length: 5,
        width: 10,
        rotate: 180,
        system: false,
        category_name: 'Climate Controlled',
        system_rotation: 0,
      },
    ],
  },
  async run(services, { location_code }) {
    const facts = (await loadFacilityFacts(services, [location_code])).get(location_code)
    if (facts?.location.facility_map_enabled !== 1) return succeed([])
    const map = await cachedMaps.one(services.db, location_code, () => loadMap(services, location_code, facts))
    return succeed([...(map ?? [])])
  },
})
