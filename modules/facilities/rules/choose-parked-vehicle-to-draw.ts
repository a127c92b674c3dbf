/** Derives from a parking space's texts and size which vehicle its drawing shows. */

export const vehicles = ['car', 'pickup', 'boat', 'trailer', 'motorhome'] as const
export type Vehicle = (typeof vehicles)[number]

/** Minimum length in feet of a parking space for each vehicle, including room to drive in. */
const minLengths: Record<Vehicle, number> = { car: 15, pickup: 19, boat: 20, trailer: 20, motorhome: 27 }

const vehiclePatterns: [Vehicle, RegExp][] = [
  ['car', /\b(?:cars?|autos?|sedans?|motorcycles?)\b/i],
  ['pickup', /\b(?:pick-?ups?|trucks?|vans?)\b/i],
  ['boat', /\b(?:boats?|watercraft|jet ?skis?)\b/i],
  ['trailer', /\b(?:trailers?|campers?|fifth.wheels?)\b/i],
  ['motorhome', /\b(?:rvs?|motor ?homes?|motor ?coach(?:es)?)\b/i],
]

interface ParkingSpace {
  categoryName: string
  features: readonly string[]
  description: string
  /** Length and breadth in feet. */
  length: number
  breadth: number
}

/** Vehicle that the drawing of a parking space shows. */
export interface ParkedVehicle {
  vehicle: Vehicle
  /** Whether the space has a roof. */
  covered: boolean
}

/** Returns the vehicle for a space by its length alone, in feet. */
const vehicleByLength = (length: number): Vehicle => (length >= 30 ? 'motorhome' : length >= 24 ? 'boat' : 'car')

/** Returns the vehicle to draw in an open space of this size, in feet. */
export const vehicleForSize = (length: number, breadth: number): ParkedVehicle => ({
  vehicle: vehicleByLength(Math.max(length, breadth)),
  covered: false,
})

/**
 * Returns the vehicle that is drawn: the first vehicle that the category, the features or the description names and that
 * fits into the space; without one, a vehicle by the longer side of the space.
 */
export function vehicleForSpace({ categoryName, features, description, length, breadth }: ParkingSpace): ParkedVehicle {
  const depth = Math.max(length, breadth)
  const marks = [categoryName, ...features].join(', ')
  const text = `${marks}, ${description}`
  const [match] = vehiclePatterns
    .map(([vehicle, pattern]) => ({ vehicle, at: text.search(pattern) }))
    .filter(({ vehicle, at }) => at >= 0 && minLengths[vehicle] <= depth)
    .sort((a, b) => a.at - b.at)
  return {
    vehicle: match?.vehicle ?? vehicleByLength(depth),
    covered: /\b(?:covered|canopy|carport|enclosed|under roof)\b/i.test(marks),
  }
}
