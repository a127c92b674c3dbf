import type { IpLocation } from './ip-location.ts'

/** Parses a latitude and a longitude in degrees; null if they are no valid point. */
export function pointOf(latitude: unknown, longitude: unknown): { lat: number; lng: number } | null {
  const parseDegrees = (value: unknown, limit: number): number | null => {
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
    const degrees = /^-?\d{1,3}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN
    return Math.abs(degrees) <= limit ? degrees : null
  }
  const lat = parseDegrees(latitude, 90)
  const lng = parseDegrees(longitude, 180)
  // 0, 0 is in the sea off Africa; services send it for an unknown location.
  return lat === null || lng === null || (lat === 0 && lng === 0) ? null : { lat, lng }
}

/**
 * Reads the location from a CDN's two headers, such as CF-IPLatitude. A visitor who forges them changes only which
 * facilities the home page shows as nearby.
 */
export const cdnIpLocation = (names: { latitude: string; longitude: string }): IpLocation => ({
  locate: async ({ header }) => pointOf(header(names.latitude), header(names.longitude)),
})
