import type { IpLocation } from './ip-location.ts'

/** Degrees as text, within the earth; null for anything else. Shared by the sources that read numbers as text. */
export function pointOf(latitude: unknown, longitude: unknown): { lat: number; lng: number } | null {
  const read = (value: unknown, limit: number): number | null => {
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
    const degrees = /^-?\d{1,3}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN
    return Math.abs(degrees) <= limit ? degrees : null
  }
  const lat = read(latitude, 90)
  const lng = read(longitude, 180)
  // 0, 0 is the sea off Africa: what services say when they do not know.
  return lat === null || lng === null || (lat === 0 && lng === 0) ? null : { lat, lng }
}

/** As a CDN sends it in two headers, such as CF-IPLatitude. A visitor who forges them changes the nearby card alone. */
export const cdnHeaders = (names: { latitude: string; longitude: string }): IpLocation => ({
  locate: async ({ header }) => pointOf(header(names.latitude), header(names.longitude)),
})
