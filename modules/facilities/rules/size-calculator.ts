/** Calculates the unit size for stored things, comparing their packed volume with what a unit holds around an aisle. */
import { keysOf } from '../../../domain/typed-keys.ts'

interface Storable {
  label: string
  /** Packed volume, including the boxes that go with it. */
  cubicFeet: number
  /** Least width at the door and least depth of a unit in which the item fits, in feet. */
  minFloor?: readonly [width: number, depth: number]
}

/**
 * Whole rooms that the size calculator can add, each with the volume of its furniture and some boxes, in cubic feet.
 */
export const rooms = {
  bedroom: { label: 'Bedrooms', cubicFeet: 200 },
  living: { label: 'Living rooms', cubicFeet: 220 },
  kitchen: { label: 'Kitchens', cubicFeet: 130 },
  dining: { label: 'Dining rooms', cubicFeet: 130 },
  study: { label: 'Home offices', cubicFeet: 110 },
  garage: { label: 'Garages, without a car', cubicFeet: 150 },
  patio: { label: 'Patios', cubicFeet: 110 },
} as const satisfies Record<string, Storable>

/** Large items that the size calculator can add to whole rooms, with the volume of each. */
export const largeItems = {
  sofa: { label: 'Sofas', cubicFeet: 70 },
  bed: { label: 'Beds', cubicFeet: 65 },
  dresser: { label: 'Dressers', cubicFeet: 30 },
  table: { label: 'Tables with chairs', cubicFeet: 70 },
  fridge: { label: 'Refrigerators', cubicFeet: 50 },
  washer: { label: 'Washers and dryers', cubicFeet: 25 },
  piano: { label: 'Upright pianos', cubicFeet: 70, minFloor: [5, 10] },
  motorcycle: { label: 'Motorcycles', cubicFeet: 150, minFloor: [5, 10] },
  car: { label: 'Cars', cubicFeet: 1100, minFloor: [9, 18] },
} as const satisfies Record<string, Storable>

export const boxCounts = [0, 10, 25, 50, 100, 200] as const

const BOX_CUBIC_FEET = 4

export type ItemName = keyof typeof rooms | keyof typeof largeItems

const storables: Record<ItemName, Storable> = { ...rooms, ...largeItems }

export const itemNames = keysOf(storables)

/** Number of each item that a visitor wants to store, for the size calculator; an omitted item counts as 0. */
export type StoredItems = Partial<Record<ItemName | 'boxes', number>>

export const MAX_PER_ITEM = 6

/**
 * Reads the things to store from a URL's query. A digit above `MAX_PER_ITEM` is lowered to it; other texts, and a number
 * of boxes that is not in `boxCounts`, count as 0.
 */
export function parseStoredItems(params: URLSearchParams): StoredItems {
  const stored: StoredItems = {}
  for (const name of itemNames) {
    const count = /^\d$/.test(params.get(name) ?? '') ? Math.min(MAX_PER_ITEM, Number(params.get(name))) : 0
    if (count > 0) stored[name] = count
  }
  const boxes = boxCounts.find((count) => String(count) === params.get('boxes')) ?? 0
  if (boxes > 0) stored.boxes = boxes
  return stored
}

/** Returns the query of the size calculator's URL: the stored items and the place `near`; '' if both are empty. */
export function storedItemsQuery(stored: StoredItems, near: string): string {
  const query = new URLSearchParams()
  for (const name of [...itemNames, 'boxes'] as const) if (stored[name]) query.set(name, String(stored[name]))
  if (near) query.set('near', near)
  return `${query}`
}

/** Width (at the door) and depth of a unit, in feet. */
export interface UnitSize {
  width: number
  depth: number
}

/** Returns how many cubic feet a unit holds: 8 ft high, three quarters packed. */
export const usableCubicFeet = ({ width, depth }: UnitSize): number => width * depth * 8 * 0.75
/** Returns how many cubic feet a unit holds when packed to the ceiling, without an aisle. */
export const packedCubicFeet = ({ width, depth }: UnitSize): number => width * depth * 8 * 0.92

export const itemsCubicFeet = (stored: StoredItems): number =>
  (stored.boxes ?? 0) * BOX_CUBIC_FEET +
  itemNames.reduce((sum, name) => sum + (stored[name] ?? 0) * storables[name].cubicFeet, 0)

const minFloors = (stored: StoredItems) =>
  itemNames.flatMap((name) => {
    const { minFloor } = storables[name]
    return minFloor && (stored[name] ?? 0) > 0 ? [minFloor] : []
  })

/** Unit size that fits the stored things. */
export interface SizeRecommendation<Size extends UnitSize> {
  cubicFeet: number
  size: Size
  /** Cubic feet that go into the unit of this size. */
  rest: number
  /** Number of further units of the largest size, which are filled; 0 where one unit is enough. */
  besides: number
  /**
   * Next smaller size; null where there is none. `holds`: whether it takes `rest` when packed to the ceiling and, without
   * further units, its floor is large enough for each item.
   */
  smaller: { size: Size; holds: boolean } | null
}

/**
 * Returns the unit size that the stored things need, or the largest one where one unit holds them all but no floor is
 * large enough for an item; null where nothing is stored or there is no size.
 * @param sizes from small to large, no two with the same floor
 */
export function recommendSize<Size extends UnitSize>(
  stored: StoredItems,
  sizes: readonly Size[],
): SizeRecommendation<Size> | null {
  const cubicFeet = itemsCubicFeet(stored)
  const largest = sizes.at(-1)
  if (cubicFeet === 0 || !largest) return null
  const floors = minFloors(stored)
  const fitsOn = ({ width, depth }: UnitSize) => floors.every(([w, d]) => width >= w && depth >= d)
  const besides = Math.max(0, Math.ceil(cubicFeet / usableCubicFeet(largest)) - 1)
  const rest = cubicFeet - besides * usableCubicFeet(largest)
  // Where there are further units, which have the largest size, things with a minimum floor go into those.
  const index = sizes.findIndex((size) => usableCubicFeet(size) >= rest && (besides > 0 || fitsOn(size)))
  const size = sizes[index] ?? largest
  const next = sizes[(index === -1 ? sizes.length - 1 : index) - 1]
  return {
    cubicFeet,
    size,
    rest,
    besides,
    smaller: next ? { size: next, holds: packedCubicFeet(next) >= rest && (besides > 0 || fitsOn(next)) } : null,
  }
}
