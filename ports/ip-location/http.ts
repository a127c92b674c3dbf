import { BlockList, isIPv6 } from 'node:net'
import type { Clock } from '../clock.ts'
import type { ErrorReporter } from '../errors/errors.ts'
import { pointOf } from './cdn-headers.ts'
import type { IpLocation } from './ip-location.ts'

/** The home page waits no longer than this for its nearby card. */
const TIMEOUT_MS = 800
const KEPT_MS = 6 * 3600_000
/** After a failure this source is not asked for a while. */
const LEFT_ALONE_MS = 30_000
const MOST_KEPT = 10_000

const ours = new BlockList()
for (const [net, bits] of Object.entries({
  '10.0.0.0': 8,
  '127.0.0.0': 8,
  '172.16.0.0': 12,
  '192.168.0.0': 16,
  '169.254.0.0': 16,
  '::1': 128,
  'fc00::': 7,
  'fe80::': 10,
}))
  ours.addSubnet(net, bits, isIPv6(net) ? 'ipv6' : 'ipv4')

/** latitude/longitude, lat/lon, lat/lng, or loc "33.75,-84.39", at the top or under `location`: the forms in use. */
function readPoint(body: unknown): { lat: number; lng: number } | null {
  if (body === null || typeof body !== 'object') return null
  const told = body as Record<string, unknown>
  const [lat, lng] = typeof told.loc === 'string' ? told.loc.split(',') : []
  return (
    pointOf(told.latitude ?? told.lat ?? lat, told.longitude ?? told.lon ?? told.lng ?? lng) ?? readPoint(told.location)
  )
}

interface HttpIpLocationParts {
  url: string
  key: string | null
  clock: Clock
  errors: ErrorReporter
  timeoutMs?: number
}

/** @returns null for an address without a known location */
async function ask({ url, key, timeoutMs = TIMEOUT_MS }: HttpIpLocationParts, address: string) {
  const response = await fetch(`${url}/${encodeURIComponent(address)}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { Accept: 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
  })
  if (response.status === 404 || response.status === 422) return null
  if (!response.ok) throw new Error(`The IP location service answers ${response.status}`)
  return readPoint(await response.json())
}

/** Cached for six hours by address. A failure is reported, answers no location, and pauses the source for half a minute. */
export function httpIpLocation(parts: HttpIpLocationParts): IpLocation {
  const kept = new Map<string, { until: number; point: { lat: number; lng: number } | null }>()
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    async locate({ address }) {
      const now = parts.clock.now()
      const known = kept.get(address)
      if (known && known.until > now) return known.point
      if (now < pausedUntil || ours.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return null
      try {
        const point = await ask(parts, address)
        if (kept.size >= MOST_KEPT) kept.clear()
        kept.set(address, { until: now + KEPT_MS, point })
        return point
      } catch (error) {
        pausedUntil = now + LEFT_ALONE_MS
        parts.errors.report(error, { port: 'ip-location' })
        return null
      }
    },
  }
}

/** The first source that knows. */
export const firstOf = (sources: readonly IpLocation[]): IpLocation => ({
  async locate(request) {
    for (const source of sources) {
      const point = await source.locate(request)
      if (point) return point
    }
    return null
  },
})
