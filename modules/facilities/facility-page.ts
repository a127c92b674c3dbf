import type { Services } from '../../platform/operations/services.ts'
import { facilitiesWithin, loadDirectory, type NearbyFacility } from './directory.ts'
import { type Facility, facilityPath, toFacility } from './facility.ts'
import { facilityFacts, lateFeesOf } from './facility-price-facts.ts'
import { phoneFor } from './phone.ts'
import type { FacilityPhoto } from './photographs.ts'
import { MAX_NEIGHBORS, NEIGHBOR_MILES } from './rules/search-radius.ts'

/** Content of a facility's public page. */
export interface FacilityPage {
  facility: Facility
  phone: string
  /** Other facilities nearby, nearest first. */
  around: NearbyFacility[]
  /** Photographs in display order. */
  photos: FacilityPhoto[]
  /** Late fees of the offered unit types before tax, in cents; empty where none is charged. */
  lateFees: number[]
}

const pathAt = (at: { state: string; city: string; slug: string }) =>
  facilityPath({ state: at.state, city_slug: at.city.toLowerCase(), slug: at.slug.toLowerCase() })

/** Returns whether a path belongs to a retired facility. */
export const isRetiredFacilityPath = async (services: Services, at: Parameters<typeof pathAt>[0]): Promise<boolean> =>
  (await loadDirectory(services)).closed.has(pathAt(at))

/**
 * Loads a facility's page with its neighbors; null for an unknown path.
 * @param at path segments in any case: state code, city slug, address slug
 */
export async function facilityBySlug(
  services: Services,
  at: { state: string; city: string; slug: string },
): Promise<FacilityPage | null> {
  const path = pathAt(at)
  const place = (await loadDirectory(services)).places.find((place) => place.path === path)
  const facts = place && (await facilityFacts(services, [place.locationCode])).get(place.locationCode)
  if (!facts) return null
  const facility = toFacility(facts.location, facts.look)
  const within = await facilitiesWithin(services, facility, NEIGHBOR_MILES, MAX_NEIGHBORS + 1)
  const around = within.filter((one) => one.locationCode !== facility.locationCode).slice(0, MAX_NEIGHBORS)
  return {
    facility,
    phone: await phoneFor(services, facility),
    around,
    photos: facts.photos,
    lateFees: lateFeesOf(facts),
  }
}
