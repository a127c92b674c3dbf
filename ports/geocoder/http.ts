import * as v from 'valibot'
import type { ErrorReporter } from '../errors/errors.ts'
import { hostAndCause } from '../host-and-cause.ts'
import type { GeocodeAnswer, Geocoder, Place } from './geocoder.ts'
import { isTerritory } from './parse-state-and-country.ts'

const TIMEOUT_MS = 2000
const MAX_QUERY_LENGTH = 120

const Component = v.object({ long_name: v.string(), short_name: v.string(), types: v.array(v.string()) })
const Result = v.object({
  address_components: v.array(Component),
  geometry: v.object({ location: v.object({ lat: v.number(), lng: v.number() }) }),
})
const Answer = v.object({ status: v.string(), results: v.optional(v.array(v.unknown()), []) })

export interface HttpGeocoderParts {
  /** URL that takes `?address=…&key=…`, such as https://maps.googleapis.com/maps/api/geocode/json */
  url: string
  key: string
  /** Used when the service fails, and for cities with the same name or a similar one. */
  fallback: Geocoder
  errors: ErrorReporter
  timeoutMs?: number
}

/** Calls a service with Google's Geocoding API. If it fails, reports the failure and uses the fallback. */
export function httpGeocoder(parts: HttpGeocoderParts): Geocoder {
  return {
    async find(query) {
      const text = query.slice(0, MAX_QUERY_LENGTH).replace(/\s+/g, ' ').trim()
      if (text === '') return { found: null, why: 'unknown' }
      try {
        return addNamesakes(await queryService(parts, text), await parts.fallback.find(query))
      } catch (error) {
        parts.errors.report(error, { port: 'geocoder' })
        return parts.fallback.find(query)
      }
    },
  }
}

/**
 * Adds the fallback's other cities of the same name to the service's result. For a text that is unknown to the service
 * and not found by the fallback, returns the fallback's answer, which may have similar names.
 */
function addNamesakes(answer: GeocodeAnswer, fallback: GeocodeAnswer): GeocodeAnswer {
  if (!answer.found) return !fallback.found && answer.why === 'unknown' ? fallback : answer
  if (!fallback.found || answer.found.zip !== '') return answer
  const { city, label } = answer.found
  const labels = new Set([label, ...answer.others.map((place) => place.label)])
  const more = [fallback.found, ...fallback.others].filter((place) => place.city === city && !labels.has(place.label))
  return { found: answer.found, others: fallback.others.length === 0 ? answer.others : [...answer.others, ...more] }
}

async function queryService(parts: HttpGeocoderParts, text: string): Promise<GeocodeAnswer> {
  // Some services fail on a ZIP+4.
  const address = text.replace(/^(\d{5})-\d{4}$/, '$1')
  const parameters = new URLSearchParams({ address, region: 'us', language: 'en', key: parts.key })
  const response = await fetch(`${parts.url}?${parameters}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`The geocoder cannot be reached: ${hostAndCause(parts.url, error)}`)
  })
  if (!response.ok) throw new Error(`The geocoder answers ${response.status}`)
  const parsed = v.safeParse(Answer, await response.json())
  if (!parsed.success) throw new Error('The geocoder’s answer cannot be read')
  const { status, results } = parsed.output
  // The visitor's text may be no address at all, which is no failure of the service.
  if (status === 'ZERO_RESULTS' || status === 'INVALID_REQUEST') return { found: null, why: 'unknown' }
  if (status !== 'OK') throw new Error(`The geocoder answers ${status}`)
  const readable = results.filter((result) => v.is(Result, result))
  const places = readable.flatMap((result) => placeOf(result) ?? [])
  const [found, ...rest] = places
  if (!found) return { found: null, why: readable.some(isAbroad) ? 'outside' : 'unknown' }
  // A ZIP is unambiguous; a name may have namesakes.
  const others = found.zip ? [] : rest.filter((place) => place.zip === '' && place.label !== found.label)
  return { found, others }
}

type ServiceResult = v.InferOutput<typeof Result>
const findComponent = (result: ServiceResult, ...types: string[]) =>
  types.flatMap((type) => result.address_components.find((component) => component.types.includes(type)) ?? [])[0]
const countryOf = (result: ServiceResult) => findComponent(result, 'country')?.short_name
const isAbroad = (result: ServiceResult) => {
  const country = countryOf(result)
  return country !== undefined && country !== 'US' && !isTerritory(country)
}

/** Returns the code of the state, or of the territory, which the service reports as a country; '' if abroad or unknown. */
function stateOf(result: ServiceResult): string {
  const country = countryOf(result) ?? ''
  if (isTerritory(country)) return country
  return country === 'US' ? (findComponent(result, 'administrative_area_level_1')?.short_name ?? '') : ''
}

/** Converts a geocoding result to a place; null if it is abroad or lacks a state or town. */
function placeOf(result: ServiceResult): Place | null {
  const state = stateOf(result)
  const city = findComponent(
    result,
    'locality',
    'postal_town',
    'sublocality',
    'neighborhood',
    'administrative_area_level_3',
  )
  if (!/^[A-Z]{2}$/.test(state) || !city) return null
  const zip = /^\d{5}/.exec(findComponent(result, 'postal_code')?.short_name ?? '')?.[0] ?? ''
  const name = city.long_name
  const { lat, lng } = result.geometry.location
  return { label: zip ? `${zip} ${name}, ${state}` : `${name}, ${state}`, city: name, state, zip, lat, lng }
}
