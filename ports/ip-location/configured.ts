import type { IpLocation } from './ip-location.ts'

/** One configured location for every visitor (the demo's), or none. */
export const configuredIpLocation = (point: { lat: number; lng: number } | null): IpLocation => ({
  locate: async () => (point ? { lat: point.lat, lng: point.lng } : null),
})
