import { isKeyOf, keysOf } from '../../domain/typed-keys.ts'
import type { Stored } from '../../modules/facilities/rules/size-calculator.ts'
import { THINGS, type ThingName } from '../ui/unit-drawing/furniture.ts'
import { CARTON, type Load } from '../ui/unit-drawing/pack.ts'

const inRooms: Partial<Record<keyof Stored, readonly ThingName[]>> = {
  bedroom: ['bed', 'dresser'],
  living: ['sofa'],
  kitchen: ['fridge'],
  dining: ['table'],
  study: ['table'],
  patio: ['table'],
}

/** Tall things first, so that they stand at the back. */
const order: readonly ThingName[] = [
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

/** Returns what a drawing of this many cubic feet is to show: the large things, and boxes for the rest, at least one for a garage. */
export function loadOf(stored: Stored, cubicFeet: number): Load {
  const things: ThingName[] = []
  for (const name of keysOf(stored))
    for (const thing of inRooms[name] ?? (isKeyOf(THINGS, name) ? [name] : []))
      for (let at = 0; at < (stored[name] ?? 0); at += 1) things.push(thing)
  things.sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const standing = things.reduce((sum, name) => sum + THINGS[name].a * THINGS[name].b * THINGS[name].h, 0)
  const rest = Math.round((cubicFeet - standing) / CARTON ** 3)
  return { things, boxes: Math.max(stored.garage ?? 0, stored.boxes ?? 0, rest) }
}
