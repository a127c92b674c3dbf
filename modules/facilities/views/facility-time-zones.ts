import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityNames } from '../facility-names.ts'

/** Time zones of all facilities but the operator's office. */
export interface FacilityTimeZones {
  /** By location code. */
  zones: ReadonlyMap<string, string>
  /** Time zone of most facilities; 'America/New_York' where there are none. */
  commonZone: string
}

/** Returns the time zone of each facility, and the zone of most of them. */
export async function loadFacilityTimeZones(services: Pick<Services, 'db'>): Promise<FacilityTimeZones> {
  const facilities = await loadFacilityNames(services)
  const [commonZone = 'America/New_York'] = [...Map.groupBy(facilities, ({ timeZone }) => timeZone)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([timeZone]) => timeZone)
  return { zones: new Map(facilities.map(({ code, timeZone }) => [code, timeZone])), commonZone }
}
