/** Derives from a facility's facts how it looks from the street, and encodes this look for the URL of its drawing. */

import { type Vehicle, vehicleForSpace, vehicles } from './choose-parked-vehicle-to-draw.ts'
import { isParking } from './room-or-parking-wording.ts'

/** Wall materials that the operator may choose. */
export const wallNames = ['brick', 'stone', 'stucco', 'concrete', 'metal', 'wood'] as const
export type Walls = (typeof wallNames)[number]

/** Features of a facility that its drawing shows. */
export interface FacilityLook {
  /** Number of floors, from 1 to 9. */
  floors: number
  /** Wall material; null where unknown. */
  walls: Walls | null
  /** Whether the facility has units inside a building. */
  indoor: boolean
  /** Whether there are doors on a driveway. */
  driveUp: boolean
  /** Kind of its parking spaces; null where it has none. */
  parking: 'open' | 'covered' | null
  /** Vehicles to draw in the parking spaces; at most two. */
  vehicles: Vehicle[]
  /** Whether the building has an elevator. */
  lift: boolean
}

/** Columns of a unit type from which the drawing follows. */
interface DrawnUnitType {
  category_name: string
  features: string
  description: string
  length: number
  breadth: number
  retired_on: string | null
}

const parseList = (json: string): string[] => JSON.parse(json)

/**
 * Derives from a facility's facts how its front is drawn, for example its walls, floors and driveway doors.
 * @param facts `floors` is the highest floor with units
 */
export function deriveLook(facts: {
  walls: string | null
  features: string
  floors: number
  unitTypes: readonly DrawnUnitType[]
}): FacilityLook {
  const offered = facts.unitTypes.filter((type) => type.retired_on === null)
  const spaces = offered.filter((type) => isParking(type.category_name))
  const units = offered.filter((type) => !spaces.includes(type))
  const isDriveUp = ({ category_name, features }: DrawnUnitType) =>
    [category_name, ...parseList(features)].some((word) => /\bdrive.?(?:up|in)\b/i.test(word))
  const parked = spaces.map((type) =>
    vehicleForSpace({ ...type, categoryName: type.category_name, features: parseList(type.features) }),
  )
  const floors = Math.max(1, Math.min(9, facts.floors))
  const indoor = units.some((type) => !isDriveUp(type))
  return {
    floors,
    walls: wallNames.find((wallName) => wallName === facts.walls) ?? null,
    indoor,
    driveUp: units.some(isDriveUp),
    parking: parked.length === 0 ? null : parked.some(({ covered }) => covered) ? 'covered' : 'open',
    vehicles: [...new Set(parked.map(({ vehicle }) => vehicle))].slice(-2),
    lift: indoor && floors > 1 && parseList(facts.features).some((word) => /\b(?:elevator|lift)/i.test(word)),
  }
}

/** Letters for the wall materials in a drawing's URL, in the order of `wallNames`. */
const wallLetters = 'bstcmw'
/** Letters for the parked vehicles in a drawing's URL, in the order of `vehicles`. */
const vehicleLetters = 'krxyz'

/** Encodes how a facility's front is drawn (floors, walls, vehicles …) as a few letters for a URL, such as '4bil'. */
export const encodeLook = (look: FacilityLook): string =>
  [
    look.floors,
    look.walls && wallLetters[wallNames.indexOf(look.walls)],
    look.indoor && 'i',
    look.lift && 'l',
    look.driveUp && 'd',
    look.parking && (look.parking === 'open' ? 'o' : 'v'),
    ...look.vehicles.map((vehicle) => vehicleLetters[vehicles.indexOf(vehicle)]),
  ]
    .filter(Boolean)
    .join('')

/**
 * Decodes how a facility's front is drawn from the text that `encodeLook` writes.
 * @returns null for a text that does not have this form
 */
export function decodeLook(code: string): FacilityLook | null {
  const [, floors, wall, indoor, lift, driveUp, parking, parked] =
    /^([1-9])([bstcmw])?(i)?(l)?(d)?([ov])?([krxyz]{0,2})$/.exec(code) ?? []
  if (floors === undefined) return null
  return {
    floors: Number(floors),
    walls: (wall && wallNames[wallLetters.indexOf(wall)]) || null,
    indoor: indoor !== undefined,
    driveUp: driveUp !== undefined,
    parking: parking === 'o' ? 'open' : parking === 'v' ? 'covered' : null,
    vehicles: [...(parked ?? '')].flatMap((letter) => vehicles[vehicleLetters.indexOf(letter)] ?? []),
    lift: lift !== undefined,
  }
}
