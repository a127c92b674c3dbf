/** How large a unit somebody needs: what is stored as cubic feet, packed, against what a unit takes with an aisle left. */

interface Storable {
  label: string
  /** Packed, with the boxes that go with it. */
  cubicFeet: number
  /** The shorter and the longer side of the least floor that takes it, feet. */
  least?: readonly [width: number, depth: number]
}

/** Whole rooms: their furniture and some boxes. */
export const rooms = {
  bedroom: { label: 'Bedrooms', cubicFeet: 200 },
  living: { label: 'Living rooms', cubicFeet: 220 },
  kitchen: { label: 'Kitchens', cubicFeet: 130 },
  dining: { label: 'Dining rooms', cubicFeet: 130 },
  study: { label: 'Home offices', cubicFeet: 110 },
  garage: { label: 'Garages, without a car', cubicFeet: 150 },
  patio: { label: 'Patios', cubicFeet: 110 },
} as const satisfies Record<string, Storable>

/** By themselves, besides whole rooms. */
export const largeThings = {
  sofa: { label: 'Sofas', cubicFeet: 70 },
  bed: { label: 'Beds', cubicFeet: 65 },
  dresser: { label: 'Dressers', cubicFeet: 30 },
  table: { label: 'Tables with chairs', cubicFeet: 70 },
  fridge: { label: 'Refrigerators', cubicFeet: 50 },
  washer: { label: 'Washers and dryers', cubicFeet: 25 },
  piano: { label: 'Upright pianos', cubicFeet: 70, least: [5, 10] },
  motorcycle: { label: 'Motorcycles', cubicFeet: 150, least: [5, 10] },
  car: { label: 'Cars', cubicFeet: 1100, least: [9, 18] },
} as const satisfies Record<string, Storable>

export const boxCounts = [0, 10, 25, 50, 100, 200] as const

const BOX = 4

export type StorableName = keyof typeof rooms | keyof typeof largeThings

const storables: Record<StorableName, Storable> = { ...rooms, ...largeThings }

export const storableNames = Object.keys(storables) as StorableName[]

/** How many of each; what is not named is none. */
export type Stored = Partial<Record<StorableName | 'boxes', number>>

export const mostOfOne = 6

/** From the query of an address; anything but a small whole number counts as none. */
export function storedIn(params: URLSearchParams): Stored {
  const stored: Stored = {}
  for (const name of storableNames) {
    const count = /^\d$/.test(params.get(name) ?? '') ? Math.min(mostOfOne, Number(params.get(name))) : 0
    if (count > 0) stored[name] = count
  }
  const boxes = boxCounts.find((count) => String(count) === params.get('boxes')) ?? 0
  if (boxes > 0) stored.boxes = boxes
  return stored
}

export interface UnitSize {
  width: number
  depth: number
}

/** Square feet of floor, 8 ft high, three quarters of it packed. */
export const takes = ({ width, depth }: UnitSize): number => width * depth * 8 * 0.75
/** The same packed to the ceiling, without an aisle. */
export const takesPacked = ({ width, depth }: UnitSize): number => width * depth * 8 * 0.92

export const cubicFeetOf = (stored: Stored): number =>
  (stored.boxes ?? 0) * BOX +
  storableNames.reduce((sum, name) => sum + (stored[name] ?? 0) * storables[name].cubicFeet, 0)

const leastFloors = (stored: Stored) =>
  storableNames.flatMap((name) => {
    const { least } = storables[name]
    return least && (stored[name] ?? 0) > 0 ? [least] : []
  })

export interface RoomNeeded<Size extends UnitSize> {
  cubicFeet: number
  size: Size
  /** Cubic feet that stand in it. */
  rest: number
  /** Units of the largest size that are full besides; usually none. */
  besides: number
  /** The next smaller size, and whether it holds everything when packed to the ceiling. */
  smaller: { size: Size; holds: boolean } | null
}

/** @param sizes from small to large, none within another's floor twice @returns null where nothing is stored */
export function roomNeeded<Size extends UnitSize>(stored: Stored, sizes: readonly Size[]): RoomNeeded<Size> | null {
  const cubicFeet = cubicFeetOf(stored)
  const largest = sizes.at(-1)
  if (cubicFeet === 0 || !largest) return null
  const floors = leastFloors(stored)
  const fitsOn = ({ width, depth }: UnitSize) => floors.every(([w, d]) => width >= w && depth >= d)
  const besides = Math.max(0, Math.ceil(cubicFeet / takes(largest)) - 1)
  const rest = cubicFeet - besides * takes(largest)
  // What needs a floor of its own stands in the full ones.
  const at = sizes.findIndex((size) => takes(size) >= rest && (besides > 0 || fitsOn(size)))
  const size = sizes[at] ?? largest
  const next = sizes[(at === -1 ? sizes.length - 1 : at) - 1]
  return {
    cubicFeet,
    size,
    rest,
    besides,
    smaller: next ? { size: next, holds: takesPacked(next) >= rest && (besides > 0 || fitsOn(next)) } : null,
  }
}
