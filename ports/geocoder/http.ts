import * as v from 'valibot'
import type { ErrorReporter } from '../errors/errors.ts'
import { hostAndCause } from '../unreachable.ts'
import type { GeocodeAnswer, Geocoder, Place } from './geocoder.ts'

const TIMEOUT_MS = 2000
const LONGEST_QUERY = 120

const Component = v.object({ long_name: v.string(), short_name: v.string(), types: v.array(v.string()) })
const Result = v.object({
  address_components: v.array(Component),
  geometry: v.object({ location: v.object({ lat: v.number(), lng: v.number() }) }),
})
const Answer = v.object({ status: v.string(), results: v.optional(v.array(v.unknown()), []) })

export interface HttpGeocoderParts {
  /** Address that takes `?address=…&key=…`, such as https://maps.googleapis.com/maps/api/geocode/json */
  url: string
  key: string
  /** Answers when the provider does not: a search never stops at a map service (case 24). */
  fallback: Geocoder
  errors: ErrorReporter
  timeoutMs?: number
}

/** In the form of Google's Geocoding API. Where it gives no answer, that is reported and the fallback answers. */
export function httpGeocoder(parts: HttpGeocoderParts): Geocoder {
  return {
    async find(query) {
      const text = query.slice(0, LONGEST_QUERY).replace(/\s+/g, ' ').trim()
      if (text === '') return { found: null, why: 'unknown' }
      try {
        return completed(await ask(parts, text), await parts.fallback.find(query))
      } catch (error) {
        parts.errors.report(error, { port: 'geocoder' })
        return parts.fallback.find(query)
      }
    },
  }
}

/** The service names one of several namesakes only, and does not say what a misspelt name may mean. */
function completed(answer: GeocodeAnswer, known: GeocodeAnswer): GeocodeAnswer {
  if (!answer.found) return !known.found && answer.why === 'unknown' ? known : answer
  if (!known.found || answer.found.zip !== '') return answer
  const { city, label } = answer.found
  const labels = new Set([label, ...answer.others.map((one) => one.label)])
  const more = [known.found, ...known.others].filter((one) => one.city === city && !labels.has(one.label))
  return { found: answer.found, others: known.others.length === 0 ? answer.others : [...answer.others, ...more] }
}

async function ask(parts: HttpGeocoderParts, text: string): Promise<GeocodeAnswer> {
  // Some services fail on a ZIP+4.
  const address = text.replace(/^(\d{5})-\d{4}$/, '$1')
  const question = new URLSearchParams({ address, region: 'us', language: 'en', key: parts.key })
  const response = await fetch(`${parts.url}?${question}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`The geocoder cannot be reached: ${hostAndCause(parts.url, error)}`)
  })
  if (!response.ok) throw new Error(`The geocoder answers ${response.status}`)
  const parsed = v.safeParse(Answer, await response.json())
  if (!parsed.success) throw new Error('The geocoder’s answer cannot be read')
  const { status, results } = parsed.output
  // What a visitor typed may be no address at all: an answer, not a failure of the service.
  if (status === 'ZERO_RESULTS' || status === 'INVALID_REQUEST') return { found: null, why: 'unknown' }
  if (status !== 'OK') throw new Error(`The geocoder answers ${status}`)
  const known = results.filter((one) => v.is(Result, one))
  const places = known.flatMap((one) => placeOf(one) ?? [])
  const [found, ...rest] = places
  if (!found) return { found: null, why: known.some(isAbroad) ? 'outside' : 'unknown' }
  // A ZIP is unambiguous; a name may be one of several.
  const others = found.zip ? [] : rest.filter((one) => one.zip === '' && one.label !== found.label)
  return { found, others }
}

type Found = v.InferOutput<typeof Result>
const part = (of: Found, ...types: string[]) =>
  types.flatMap((type) => of.address_components.find((one) => one.types.includes(type)) ?? [])[0]
const isAbroad = (one: Found) => {
  const country = part(one, 'country')?.short_name
  return country !== undefined && country !== 'US'
}

/** null for what is abroad, or no town and no ZIP. */
function placeOf(one: Found): Place | null {
  if (part(one, 'country')?.short_name !== 'US') return null
  const state = part(one, 'administrative_area_level_1')?.short_name ?? ''
  const city = part(one, 'locality', 'postal_town', 'sublocality', 'neighborhood', 'administrative_area_level_3')
  if (!/^[A-Z]{2}$/.test(state) || !city) return null
  const zip = /^\d{5}/.exec(part(one, 'postal_code')?.short_name ?? '')?.[0] ?? ''
  const name = city.long_name
  const { lat, lng } = one.geometry.location
  return { label: zip ? `${zip} ${name}, ${state}` : `${name}, ${state}`, city: name, state, zip, lat, lng }
}
