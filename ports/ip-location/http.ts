import { isRecord } from '../../domain/typed-keys.ts'
import type { Clock } from '../clock-and-random.ts'
import type { ErrorReporter } from '../errors/errors.ts'
import { isPrivateAddress } from '../private-addresses.ts'
import { pointOf } from './cdn-headers.ts'
import type { IpLocation } from './ip-location.ts'

/**
 * Timeout in milliseconds of a request to the IP location service, during which the home page waits for its card of
 * nearby facilities.
 */
const TIMEOUT_MS = 800
const CACHE_MS = 6 * 3600_000
/** Time in milliseconds for which the service is not called after a failure. */
const PAUSE_MS = 30_000
const MAX_CACHED = 10_000

/**
 * Reads the point of a service's response: latitude/longitude, lat/lon, lat/lng, or loc "33.75,-84.39", at the top or
 * under `location`; null without a valid point.
 */
function readPoint(fields: unknown): { lat: number; lng: number } | null {
  if (!isRecord(fields)) return null
  const [lat, lng] = typeof fields.loc === 'string' ? fields.loc.split(',') : []
  return (
    pointOf(fields.latitude ?? fields.lat ?? lat, fields.longitude ?? fields.lon ?? fields.lng ?? lng) ??
    readPoint(fields.location)
  )
}

interface HttpIpLocationParts {
  url: string
  key: string | null
  clock: Clock
  errors: ErrorReporter
  timeoutMs?: number
}

/** Requests an address's location from the service; null if the service has none. */
async function fetchLocation({ url, key, timeoutMs = TIMEOUT_MS }: HttpIpLocationParts, address: string) {
  const response = await fetch(`${url}/${encodeURIComponent(address)}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { Accept: 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
  })
  if (response.status === 404 || response.status === 422) return null
  if (!response.ok) throw new Error(`The IP location service answers ${response.status}`)
  return readPoint(await response.json())
}

/**
 * Creates a locator of IP addresses that queries an HTTP service. Results are cached for six hours. After a failure,
 * which is reported, it returns null and does not call the service for 30 seconds.
 */
export function httpIpLocation(parts: HttpIpLocationParts): IpLocation {
  const cache = new Map<string, { until: number; point: { lat: number; lng: number } | null }>()
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    async locate({ address }) {
      const now = parts.clock.now()
      const cached = cache.get(address)
      if (cached && cached.until > now) return cached.point
      if (now < pausedUntil || isPrivateAddress(address)) return null
      try {
        const point = await fetchLocation(parts, address)
        if (cache.size >= MAX_CACHED) cache.clear()
        cache.set(address, { until: now + CACHE_MS, point })
        return point
      } catch (error) {
        pausedUntil = now + PAUSE_MS
        parts.errors.report(error, { port: 'ip-location' })
        return null
      }
    },
  }
}

/** Combines sources: returns the location of the first source that has one. */
export const firstIpLocation = (sources: readonly IpLocation[]): IpLocation => ({
  async locate(request) {
    for (const source of sources) {
      const point = await source.locate(request)
      if (point) return point
    }
    return null
  },
})
