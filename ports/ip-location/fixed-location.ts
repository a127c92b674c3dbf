import type { IpLocation } from './ip-location.ts'

/** Creates a locator that returns one configured location for every visitor; null for none. */
export const fixedIpLocation = (point: { lat: number; lng: number } | null): IpLocation => ({
  locate: async () => (point ? { lat: point.lat, lng: point.lng } : null),
})
