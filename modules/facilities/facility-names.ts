import { ContentCache } from '../../platform/database/content-cache.ts'
import type { Services } from '../../platform/operations/services.ts'
import { OFFICE_FACILITY_ID } from './rules/operator-office-facility-id.ts'

export interface FacilityName {
  code: string
  name: string
  state: string
  timeZone: string
  comingSoon: boolean
}

const cachedNames = new ContentCache<FacilityName[]>(1)

/** Returns all facilities but the operator's office, sorted by name. Names of retired ones end in ' (retired)'. */
export const loadFacilityNames = async (services: Pick<Services, 'db'>): Promise<FacilityName[]> =>
  (await cachedNames.one(services.db, 'all', async () => {
    const rows = await services.db.read
      .selectFrom('locations')
      .select(['location_code as code', 'name', 'state', 'time_zone as timeZone', 'retired_on', 'coming_soon'])
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .orderBy('name')
      .orderBy('location_code')
      .execute()
    return rows.map(({ retired_on, coming_soon, name, ...facility }) => ({
      ...facility,
      name: retired_on ? `${name} (retired)` : name,
      comingSoon: coming_soon === 1,
    }))
  })) ?? []
