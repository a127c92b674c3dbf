import { loadNearestFacilities } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { quoteFacilities } from '../../modules/pricing/views/unit-type-quotes.ts'
import type { RequestContext } from '../request/context.ts'
import { type CheapestOfSize, cheapestOfSize } from './facility-cards.ts'
import { findPlace } from './find-place.ts'

const MAX_SEARCHED = 20

export type FacilityWithSize = Pick<CheapestOfSize, 'href' | 'today' | 'monthly'> & { name: string }

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
    const cheapest = cheapestOfSize(candidate, size, quotes.get(candidate.locationCode)?.unitTypes ?? [])
    if (!cheapest) return []
    const { href, today, monthly } = cheapest
    return [{ name: candidate.name, href, today, monthly }]
  })
  return { label: answer.found.label, error: '', facility }
}
