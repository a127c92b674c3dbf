import { NAMESAKE_MILES } from '../../modules/facilities/rules/search-radius.ts'
import {
  searchFacilitiesByName,
  splitByNearness,
} from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import type { RequestContext } from '../request/context.ts'

const complaints = {
  outside: 'We rent storage in the United States only. Try a US city or a 5-digit ZIP code.',
  unknown: 'We do not know that place. Check the spelling, or try a 5-digit ZIP code.',
  here: 'We cannot see where you are by that. Press “Use my location”, or type a city or ZIP code.',
  down: 'We cannot look up places right now.',
}

const MAX_SUGGESTIONS = 3
const OWN_POSITION =
  /^(?:(?:near|around|close to|by) (?:me|here)|nearby|close by|near|here|where i am|(?:my|current|my current) location)$/i
const SEARCH_WORDS =
  '(?:(?:find|cheap|cheapest|the cheapest|best|the best|a|self)[ -]){0,3}(?:storage units?|storage|units?)'
const LEADING_SEARCH_WORDS = new RegExp(`^${SEARCH_WORDS} (?:(?:in|at) )?`, 'i')
const TRAILING_SEARCH_WORDS = new RegExp(` ${SEARCH_WORDS}$`, 'i')

/** Returns the place in a query: 'Decatur' for 'storage units in Decatur' and for 'Decatur self storage'. */
const placeIn = (query: string): string =>
  query
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?]+$/, '')
    .replace(LEADING_SEARCH_WORDS, '')
    .replace(TRAILING_SEARCH_WORDS, '')
    .replace(/ please$/i, '')

interface FoundPlace {
  label: string
  lat: number
  lng: number
}

export type PlaceAnswer =
  | { found: FoundPlace; others: { label: string }[] }
  | { found: null; why: keyof typeof complaints; complaint: string; alike: string[] }

const notFound = (why: keyof typeof complaints, alike: string[] = []): PlaceAnswer => ({
  found: null,
  why,
  complaint: alike.length > 0 ? `We do not know that place. Did you mean ${alike.join(', or ')}?` : complaints[why],
  alike,
})

/**
 * Finds the place or facility that a visitor typed. Prefers, in this order: the geocoder's first place of that name with
 * a facility within `NAMESAKE_MILES`, a facility of that name, and the geocoder's first place of that name. A facility's
 * street counts only when there is no place of that name.
 * @param page path for the error report when the geocoder fails
 * @returns `others`: labels of other places or facilities that match. `complaint`: why nothing was found. `alike`:
 *   labels of places with a similar name, those near a facility first.
 */
export async function findPlace({ services }: RequestContext, query: string, page: string): Promise<PlaceAnswer> {
  const place = placeIn(query)
  if (OWN_POSITION.test(place)) return notFound('here')
  const answer = await services.geocoder.find(place).catch((error: unknown) => {
    services.errors.report(error, { page })
    return null
  })
  const candidates = answer?.found ? [answer.found, ...answer.others] : (answer?.alike ?? [])
  const { near, far } = await splitByNearness(services, candidates, NAMESAKE_MILES)
  const [found, ...others] = answer?.found ? [...near, ...far] : []
  if (found && near.length > 0) return { found, others }
  const matches = await searchFacilitiesByName(services, query)
  const [facility, ...otherFacilities] = matches
    .filter(({ by }) => by === 'name' || !found)
    .map(({ name, lat, lng }) => ({ label: name, lat, lng }))
  if (facility) return { found: facility, others: found ? [...otherFacilities, found, ...others] : otherFacilities }
  if (found) return { found, others }
  const labels = [...near, ...far].map(({ label }) => label)
  return answer && !answer.found ? notFound(answer.why, labels.slice(0, MAX_SUGGESTIONS)) : notFound('down')
}
