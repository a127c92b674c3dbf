import type { Services } from '../../../platform/operations/services.ts'
import { loadSupportPhoneDigits } from '../choose-support-phone.ts'
import { lateFeesOf, loadFacilityFacts } from '../facility-facts-for-pricing.ts'
import { toFacility } from '../internal/facility-from-row.ts'
import type { Facility } from '../rules/facility.ts'
import { facilityPath } from '../rules/facility-path.ts'
import { MAX_NEIGHBORS, NEIGHBOR_MILES } from '../rules/search-radius.ts'
import type { FacilityPhoto } from '../store-photographs.ts'
import { loadDirectory, loadFacilitiesWithin, type NearbyFacility } from './find-facilities-by-place-or-name.ts'

/** Content of a facility's public page. */
export interface FacilityPage {
  facility: Facility
  /** Phone number to call about the facility, 10 digits; '' when none is known. */
  phone: string
  /** Other facilities nearby, nearest first. */
  around: NearbyFacility[]
  /** Photographs in their stored order (`position`); the page sorts them with `inSlotOrder`. */
  photos: FacilityPhoto[]
  /** Late fees of the offered unit types before tax, in cents; empty where none is charged. */
  lateFees: number[]
}

const pathOf = (segments: { state: string; city: string; slug: string }) =>
  facilityPath({ state: segments.state, city_slug: segments.city.toLowerCase(), slug: segments.slug.toLowerCase() })

/** Returns whether a path belongs to a retired facility. */
export const isRetiredFacilityPath = async (
  services: Services,
  segments: Parameters<typeof pathOf>[0],
): Promise<boolean> => (await loadDirectory(services)).closed.has(pathOf(segments))

/**
 * Loads a facility's page with its neighbors; null for an unknown path or a retired facility.
 * @param segments path segments in any case: state code, city slug, address slug
 */
export async function loadFacilityBySlug(
  services: Services,
  segments: { state: string; city: string; slug: string },
): Promise<FacilityPage | null> {
  const path = pathOf(segments)
  const place = (await loadDirectory(services)).places.find((place) => place.path === path)
  const facts = place && (await loadFacilityFacts(services, [place.locationCode])).get(place.locationCode)
  if (!facts) return null
  const facility = toFacility(facts.location, facts.look)
  const candidates = await loadFacilitiesWithin(services, facility, NEIGHBOR_MILES, MAX_NEIGHBORS + 1)
  const around = candidates.filter((nearby) => nearby.locationCode !== facility.locationCode).slice(0, MAX_NEIGHBORS)
  return {
    facility,
    phone: await loadSupportPhoneDigits(services, facility),
    around,
    photos: facts.photos,
    lateFees: lateFeesOf(facts),
  }
}
