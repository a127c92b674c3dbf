/** Computes distances and finds nearby places (spec 1 §9). */

import { NEARBY_CARD_MAX, NEARBY_CARD_MILES } from './search-radius.ts'

/** A point on the earth, in degrees. */
export interface Point {
  lat: number
  lng: number
}

const EARTH_DIAMETER_MILES = 7917.6

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the great-circle distance of two points, in miles. */
export function distanceMiles(a: Point, b: Point): number {
  const north = Math.sin(radians(b.lat - a.lat) / 2)
  const east = Math.sin(radians(b.lng - a.lng) / 2)
  const haversine = north * north + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * east * east
  // Rounding may carry the haversine of opposite points past 1.
  return EARTH_DIAMETER_MILES * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

/** Returns the places within the radius, in miles, nearest first, at most `max`, each with its distance. */
export function nearest<Place extends Point>(
  from: Point,
  places: readonly Place[],
  { radius = NEARBY_CARD_MILES, max = NEARBY_CARD_MAX }: { radius?: number; max?: number } = {},
): (Place & { miles: number })[] {
  return places
    .map((place) => ({ ...place, miles: distanceMiles(from, place) }))
    .filter((place) => place.miles <= radius)
    .sort((a, b) => a.miles - b.miles)
    .slice(0, max)
}

/** Edges of a box, in degrees. */
export interface BoundingBox {
  south: number
  north: number
  west: number
  east: number
}

/**
 * Returns a box in degrees that contains every place within `miles`, to narrow a search before computing distances.
 * The box does not wrap: at the date line `west` may be below -180 or `east` above 180, and places across it are missed.
 */
export function boundingBox({ lat, lng }: Point, miles: number): BoundingBox {
  // Slightly wider than the circle, so that rounding never cuts off a place on its edge.
  const angle = (miles / (EARTH_DIAMETER_MILES / 2)) * (1 + 1e-9)
  const halfHeight = (angle * 180) / Math.PI
  const sineOfHalfWidth = Math.sin(angle) / Math.cos(radians(lat))
  const reachesPole = Math.abs(lat) + halfHeight >= 90
  const halfWidth = reachesPole || sineOfHalfWidth >= 1 ? 180 : (Math.asin(sineOfHalfWidth) * 180) / Math.PI + 1e-9
  return {
    south: Math.max(-90, lat - halfHeight),
    north: Math.min(90, lat + halfHeight),
    west: lng - halfWidth,
    east: lng + halfWidth,
  }
}

const compass = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west']

/** Returns the direction from one place to another as one of eight compass points: 'north-east'. */
export function bearing(from: Point, to: Point): string {
  const east = (to.lng - from.lng) * Math.cos(radians(from.lat))
  const eighths = Math.round(Math.atan2(east, to.lat - from.lat) / (Math.PI / 4))
  return compass[(eighths + 8) % 8] ?? ''
}
