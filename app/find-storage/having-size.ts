import { nearestFacilities } from '../../modules/facilities/directory.ts'
import { quoteFacilities } from '../../modules/pricing/unit-type-prices.ts'
import type { RequestContext } from '../request/context.ts'
import { spellMiles } from './cards.ts'
import { findPlace } from './find-place.ts'

const looked = 20
const shown = 3

export interface HasSize {
  name: string
  path: string
  distance: string
  /** Cents per 30 days of the cheapest unit of the size that is free, everything in. */
  from: number
}

/** The nearest facilities that have a room of a size free now. `error`: why the place could not be found. */
export async function havingSize(
  site: RequestContext,
  query: string,
  { width, depth }: { width: number; depth: number },
): Promise<{ label: string; error: string; facilities: HasSize[] }> {
  const { services } = site
  const answer = await findPlace(site, query, '/size-guide')
  if (!answer.found) return { label: '', error: answer.complaint, facilities: [] }
  const { facilities } = await nearestFacilities(services, answer.found, looked)
  const quotes = await quoteFacilities(
    services,
    facilities.map((one) => one.locationCode),
  )
  const having = facilities.flatMap((one): HasSize[] => {
    const prices = (quotes.get(one.locationCode)?.unitTypes ?? [])
      .filter(({ band, free }) => band !== 'PARKING' && free > 0)
      .filter((type) => Math.min(type.length, type.breadth) === width && Math.max(type.length, type.breadth) === depth)
      .map((type) => type.thenPerMonth)
    return prices.length === 0
      ? []
      : [{ name: one.name, path: one.path, distance: spellMiles(one.miles), from: Math.min(...prices) }]
  })
  return { label: answer.found.label, error: '', facilities: having.slice(0, shown) }
}
