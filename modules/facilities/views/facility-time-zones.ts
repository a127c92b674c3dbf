import type { Services } from '../../../platform/operations/services.ts'
import { loadFacilityNames } from '../facility-names.ts'

/** Time zones of all facilities but the operator's office. */
export interface FacilityTimeZones {
  /** By location code. */
  zones: ReadonlyMap<string, string>
  /** Time zone that the most facilities have; 'America/New_York' where there are none. */
  commonZone: string
  /** Returns the time zone in which an instant is shown: its facility's, or `commonZone` for one of no facility. */
  zoneOf(locationCode: string | null | undefined): string
}

/** Loads the time zones of facilities, and in which of them an instant is shown. */
export async function loadFacilityTimeZones(services: Pick<Services, 'db'>): Promise<FacilityTimeZones> {
  const facilities = await loadFacilityNames(services)
  const [commonZone = 'America/New_York'] = [...Map.groupBy(facilities, ({ timeZone }) => timeZone)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([timeZone]) => timeZone)
  const zones = new Map(facilities.map(({ code, timeZone }) => [code, timeZone]))
  return { zones, commonZone, zoneOf: (locationCode) => zones.get(locationCode ?? '') ?? commonZone }
}
