import { isKeyOf, keysOf } from '../../domain/typed-keys.ts'
import type { StoredItems } from '../../modules/facilities/rules/size-calculator.ts'
import { FURNITURE, type FurnitureName } from '../ui/unit-drawing/furniture.ts'
import { CARTON, type UnitContents } from '../ui/unit-drawing/unit-contents.ts'

const furnitureOfRooms: Partial<Record<keyof StoredItems, readonly FurnitureName[]>> = {
  bedroom: ['bed', 'dresser'],
  living: ['sofa'],
  kitchen: ['fridge'],
  dining: ['table'],
  study: ['table'],
  patio: ['table'],
}

/** Order in which furniture is placed in the drawing, starting at the back. */
const drawingOrder: readonly FurnitureName[] = [
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

/**
 * Returns what to draw of the stored items: large pieces, and boxes for the rest of the cubic feet; at least as many
 * boxes as the visitor counted, and at least as many as there are garages.
 */
export function contentsToDraw(stored: StoredItems, cubicFeet: number): UnitContents {
  const furniture: FurnitureName[] = []
  for (const name of keysOf(stored))
    for (const thing of furnitureOfRooms[name] ?? (isKeyOf(FURNITURE, name) ? [name] : []))
      for (let index = 0; index < (stored[name] ?? 0); index += 1) furniture.push(thing)
  furniture.sort((a, b) => drawingOrder.indexOf(a) - drawingOrder.indexOf(b))
  const furnitureVolume = furniture.reduce(
    (sum, name) => sum + FURNITURE[name].a * FURNITURE[name].b * FURNITURE[name].h,
    0,
  )
  const remainingBoxes = Math.round((cubicFeet - furnitureVolume) / CARTON ** 3)
  return { furniture, boxes: Math.max(stored.garage ?? 0, stored.boxes ?? 0, remainingBoxes) }
}
