import { searchFacilitiesByName, splitByNearness } from '../../modules/facilities/directory.ts'
import { NAMESAKE_MILES } from '../../modules/facilities/rules/search-radius.ts'
import type { RequestContext } from '../request/context.ts'

const complaints = {
  outside: 'We rent storage in the United States only. Try a US city or a 5-digit ZIP code.',
  unknown: 'We do not know that place. Check the spelling, or try a 5-digit ZIP code.',
  here: 'We cannot see where you are by that. Press “Use my location”, or type a city or ZIP code.',
  down: 'We cannot look up places right now.',
}

const MOST_ASKED_BACK = 3
const WHERE_I_AM =
  /^(?:(?:near|around|close to|by) (?:me|here)|nearby|close by|near|here|where i am|(?:my|current|my current) location)$/i
const SOUGHT = '(?:(?:find|cheap|cheapest|the cheapest|best|the best|a|self)[ -]){0,3}(?:storage units?|storage|units?)'
const SOUGHT_FIRST = new RegExp(`^${SOUGHT} (?:(?:in|at) )?`, 'i')
const SOUGHT_LAST = new RegExp(` ${SOUGHT}$`, 'i')

/** Returns the place in a query: 'Decatur' for 'storage units in Decatur' and for 'Decatur self storage'. */
const placeIn = (query: string): string =>
  query
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?]+$/, '')
    .replace(SOUGHT_FIRST, '')
    .replace(SOUGHT_LAST, '')
    .replace(/ please$/i, '')

interface SoughtPlace {
  label: string
  lat: number
  lng: number
}

export type PlaceAnswer =
  | { found: SoughtPlace; others: { label: string }[] }
  | { found: null; why: keyof typeof complaints; complaint: string; alike: string[] }

const refused = (why: keyof typeof complaints, alike: string[] = []): PlaceAnswer => ({
  found: null,
  why,
  complaint: alike.length > 0 ? `We do not know that place. Did you mean ${alike.join(', or ')}?` : complaints[why],
  alike,
})

/**
 * Finds the place or facility that a visitor typed. Of places with the same name, the largest with a facility nearby wins.
 *
 * @param page path for the error report when the geocoder fails
 * @returns `others`: labels of other places with that name. `complaint`: why nothing was found. `alike`: similar names.
 */
export async function findPlace({ services }: RequestContext, query: string, page: string): Promise<PlaceAnswer> {
  const sought = placeIn(query)
  if (WHERE_I_AM.test(sought)) return refused('here')
  const answer = await services.geocoder.find(sought).catch((error: unknown) => {
    services.errors.report(error, { page })
    return null
  })
  const known = answer?.found ? [answer.found, ...answer.others] : (answer?.alike ?? [])
  const { near, far } = await splitByNearness(services, known, NAMESAKE_MILES)
  const [found, ...others] = answer?.found ? [...near, ...far] : []
  if (found && near.length > 0) return { found, others }
  const called = await searchFacilitiesByName(services, query)
  const [facility, ...more] = called
    .filter(({ by }) => by === 'name' || !found)
    .map(({ name, lat, lng }) => ({ label: name, lat, lng }))
  if (facility) return { found: facility, others: found ? [...more, found, ...others] : more }
  if (found) return { found, others }
  const labels = [...near, ...far].map(({ label }) => label)
  return answer && !answer.found ? refused(answer.why, labels.slice(0, MOST_ASKED_BACK)) : refused('down')
}
