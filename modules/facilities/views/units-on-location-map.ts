import { ContentCache } from '../../../platform/database/content-cache.ts'
import { withContentVersion } from '../../../platform/database/content-version.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facility-facts-for-pricing.ts'
import type { MapUnit } from '../rules/floor-map-wire-format.ts'

/** Maximum number of facilities with a cached map. A map of 600 units takes 90 kB. */
const MAX_CACHED_MAPS = 40

const cachedMaps = new ContentCache<MapUnit[]>(MAX_CACHED_MAPS)

/** Loads the units and fixtures on a facility's map, with their positions; empty where there is no map. */
export async function loadUnitsOnMap(services: Services, locationCode: string): Promise<MapUnit[]> {
  const facts = await loadFactsWithMap(services, locationCode)
  return facts ? loadMap(services, locationCode, facts) : []
}

/**
 * Loads a map as `loadUnitsOnMap` does, cached until the operator's content changes. Tenants open the pages of few
 * facilities again and again.
 */
export const loadCachedUnitsOnMap = (services: Services, locationCode: string): Promise<readonly MapUnit[]> =>
  withContentVersion(async () => {
    const facts = await loadFactsWithMap(services, locationCode)
    if (!facts) return []
    return (await cachedMaps.one(services.db, locationCode, () => loadMap(services, locationCode, facts))) ?? []
  })

async function loadFactsWithMap(services: Services, locationCode: string): Promise<FacilityFacts | undefined> {
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  return facts?.location.facility_map_enabled === 1 ? facts : undefined
}

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
