import type { Services } from '../../../platform/operations/services.ts'
import { toFacility } from '../internal/facility-from-row.ts'
import type { Facility } from '../rules/facility.ts'
import { OFFICE_FACILITY_ID } from '../rules/operator-office-facility-id.ts'

const selectFacilities = (services: Services) =>
  services.db.read.selectFrom('locations').selectAll().where('facility_id', '!=', OFFICE_FACILITY_ID)

/** Loads a facility; null for an unknown code and for the operator's office. */
export async function loadFacility(services: Services, locationCode: string): Promise<Facility | null> {
  const row = await selectFacilities(services).where('location_code', '=', locationCode).executeTakeFirst()
  return row ? toFacility(row) : null
}

/**
 * Returns all facilities but the operator's office as options of a choice: location code and 'Ponce City, Atlanta GA'.
 */
export async function loadFacilityChoices(services: Services): Promise<{ value: string; label: string }[]> {
  const rows = await selectFacilities(services).orderBy('state').orderBy('city').orderBy('name').execute()
  return rows.map((row) => ({ value: row.location_code, label: `${row.name}, ${row.city} ${row.state}` }))
}

/**
 * Returns the location code that `/reservation?rescode=&site=` names by code, name or slug; null where none matches.
 */
export async function findLocationBySite(services: Services, site: string): Promise<string | null> {
  const row = await services.db.read
    .selectFrom('locations')
    .select('location_code')
    .where((eb) => eb.or([eb('location_code', '=', site), eb('name', '=', site), eb('slug', '=', site.toLowerCase())]))
    .orderBy('location_code')
    .executeTakeFirst()
  return row?.location_code ?? null
}
