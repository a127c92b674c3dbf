import { isKeyOf, keysOf } from '../../domain/typed-keys.ts'
import type { StoredItems } from '../../modules/facilities/rules/size-calculator.ts'
import { FURNITURE, type FurnitureName } from '../ui/unit-drawing/furniture.ts'
import { CARTON, type UnitContents } from '../ui/unit-drawing/pack.ts'

const inRooms: Partial<Record<keyof StoredItems, readonly FurnitureName[]>> = {
  bedroom: ['bed', 'dresser'],
  living: ['sofa'],
  kitchen: ['fridge'],
  dining: ['table'],
  study: ['table'],
  patio: ['table'],
}

/** Furniture in drawing order: tall pieces first, so that they are at the back. */
const order: readonly FurnitureName[] = [
  'fridge',
  'washer',
  'piano',
  'dresser',
  'sofa',
  'bed',
  'table',
  'motorcycle',
  'car',
]

/** Returns what to draw of the stored items: large pieces, and boxes for the remaining cubic feet; a garage has at least one. */
export function contentsToDraw(stored: StoredItems, cubicFeet: number): UnitContents {
  const things: FurnitureName[] = []
  for (const name of keysOf(stored))
    for (const thing of inRooms[name] ?? (isKeyOf(FURNITURE, name) ? [name] : []))
      for (let index = 0; index < (stored[name] ?? 0); index += 1) things.push(thing)
  things.sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const standing = things.reduce((sum, name) => sum + FURNITURE[name].a * FURNITURE[name].b * FURNITURE[name].h, 0)
  const rest = Math.round((cubicFeet - standing) / CARTON ** 3)
  return { things, boxes: Math.max(stored.garage ?? 0, stored.boxes ?? 0, rest) }
}
