import { loadNearestFacilities } from '../../modules/facilities/views/facility-directory.ts'
import { quoteFacilities } from '../../modules/pricing/views/unit-type-quotes.ts'
import type { RequestContext } from '../request/context.ts'
import { sizeSlug } from './filter-unit-types.ts'
import { findPlace } from './find-place.ts'

const MAX_SEARCHED = 20

export interface FacilityWithSize {
  name: string
  /** Address of the facility's units of the size. */
  href: string
  /** Amount due today for the cheapest free unit of the size, in cents. */
  today: number
  /** Price of that unit per month after that, in cents. */
  monthly: number
}

/**
 * Finds the place in `query` and, of the facilities nearest to it, the first with a free unit of the size.
 * @returns `label`: name of the place, '' if it was not found; `error`: why not, else ''; `facility`: null if none has
 *   the size
 */
export async function findNearestWithSize(
  site: RequestContext,
  query: string,
  { width, depth }: { width: number; depth: number },
): Promise<{ label: string; error: string; facility: FacilityWithSize | null }> {
  const { services } = site
  const answer = await findPlace(site, query, '/size-guide')
  if (!answer.found) return { label: '', error: answer.complaint, facility: null }
  const { facilities } = await loadNearestFacilities(services, answer.found, MAX_SEARCHED)
  const codes = facilities.map((facility) => facility.locationCode)
  const quotes = await quoteFacilities(services, codes)
  const size = `${width}x${depth}`
  const [facility = null] = facilities.flatMap((candidate): FacilityWithSize[] => {
    const [cheapest] = (quotes.get(candidate.locationCode)?.unitTypes ?? [])
      .filter((type) => type.free > 0 && sizeSlug(type) === size)
      .sort((a, b) => a.dueToday - b.dueToday)
    if (!cheapest) return []
    return [
      {
        name: candidate.name,
        href: `${candidate.path}?size=${size}#units`,
        today: cheapest.dueToday,
        monthly: cheapest.thenPerMonth,
      },
    ]
  })
  return { label: answer.found.label, error: '', facility }
}
