import type { ParkedVehicle, Vehicle } from '../../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import {
  across,
  block,
  down,
  FURNITURE,
  type Furniture,
  type FurnitureName,
  KRAFT,
  pair,
  type Stroke,
  step,
  up,
} from './furniture.ts'

/** Furniture, vehicle or stack of cartons at (w, d) on the floor, taking a × b feet. */
interface Placed {
  name: string
  w: number
  d: number
  a: number
  b: number
  strokes: Stroke[]
  /** Number of cartons in the stack. */
  cartons?: number
}

/** Side of a carton, in feet. */
export const CARTON = 1.6
/** Height of a unit's walls, in feet. */
export const WALL = 8

/**
 * Lists typical furniture for a floor area in square feet, in the order in which it is placed from the far end. A
 * fridge, the tallest piece, comes first, so that it hides nothing.
 */
function typicalFurniture(area: number): FurnitureName[] {
  if (area < 40) return ['dresser']
  if (area < 75) return ['dresser', 'mattress']
  if (area < 125) return ['fridge', 'washer', 'dresser', 'sofa']
  if (area < 175) return ['fridge', 'washer', 'dresser', 'bed', 'sofa']
  if (area < 250) return ['fridge', 'washer', 'dresser', 'bed', 'sofa', 'table']
  return ['fridge', 'washer', 'dresser', 'bed', 'sofa', 'car']
}

export function cartonStack(n: number): Stroke[] {
  const strokes: Stroke[] = [...block(0, 0, 0, CARTON, CARTON, n * CARTON, KRAFT)]
  let lines = ''
  for (let i = 1; i < n; i++) {
    lines += `M${pair([0, CARTON, i * CARTON])}l${step(across(CARTON), down(CARTON))} ${step(across(CARTON), -down(CARTON))}`
  }
  if (lines) strokes.push({ d: lines })
  const half = CARTON / 2
  strokes.push({
    d: `M${pair([CARTON, half, n * CARTON - 0.7])}v${-up(0.7)}l${step(-across(CARTON), -down(CARTON))}`,
    line: ['#fff2d6', 3],
  })
  return strokes
}

/** Places a vehicle in the middle of a parking space. */
export function vehicleOn(vehicle: Vehicle, width: number, depth: number): { thing: Furniture; w: number; d: number } {
  const thing = FURNITURE[vehicle]
  return { thing, w: Math.max(0.3, (width - thing.a) / 2), d: Math.max(0.3, (depth - thing.b) / 2) }
}

/** Contents of a unit, in the order in which the drawing places them. */
export interface UnitContents {
  furniture: readonly FurnitureName[]
  boxes: number
}

/** Maximum number of boxes in a drawing of typical contents. */
const MAX_BOXES = 41

/** Distance of the contents from the walls, in feet. */
const EDGE = 0.3

/**
 * Places large furniture on a unit's floor in rows, starting at the far end.
 * @returns the placed pieces, and the furniture without floor space
 */
function placeInRows(
  width: number,
  depth: number,
  furniture: readonly FurnitureName[],
): { placed: Placed[]; unplaced: FurnitureName[] } {
  const placed: Placed[] = []
  const unplaced: FurnitureName[] = []
  let w = EDGE
  let d = EDGE
  let rowDepth = 0
  const fits = (thing: Furniture, left: number, front: number) =>
    left + thing.a <= width - EDGE + 0.01 && front + thing.b <= depth - EDGE + 0.01
  for (const requested of furniture) {
    const countBefore = placed.length
    // A bed that does not fit flat is placed as a mattress on its edge.
    for (const name of requested === 'bed' ? (['bed', 'mattress'] as const) : [requested]) {
      const thing: Furniture = FURNITURE[name]
      const isNext = fits(thing, w, d)
      if (!isNext && !fits(thing, EDGE, d + rowDepth + 0.4)) continue
      if (!isNext) {
        w = EDGE
        d += rowDepth + 0.4
        rowDepth = 0
      }
      placed.push({ name: thing.name, w, d, a: thing.a, b: thing.b, strokes: thing.draw(w, d) })
      w += thing.a + 0.4
      rowDepth = Math.max(rowDepth, thing.b)
      break
    }
    if (placed.length === countBefore) unplaced.push(requested)
  }
  return { placed, unplaced }
}

/**
 * Places furniture on a unit's floor in rows, starting at the far end, then stacks of boxes. With a parked vehicle it
 * places only the vehicle.
 * @param width in feet
 * @param depth in feet
 * @param contents what to draw; by default typical contents
 */
export function placeContents(
  width: number,
  depth: number,
  parked: ParkedVehicle | null,
  contents?: UnitContents,
): { placed: Placed[]; names: string[]; boxes: number; unplaced: FurnitureName[] } {
  if (parked) {
    const { thing, w, d } = vehicleOn(parked.vehicle, width, depth)
    return {
      placed: [{ name: thing.name, w, d, a: thing.a, b: thing.b, strokes: thing.draw(w, d) }],
      names: [thing.name],
      boxes: 0,
      unplaced: [],
    }
  }
  const { placed, unplaced } = placeInRows(width, depth, contents?.furniture ?? typicalFurniture(width * depth))
  const names = placed.map((thing) => thing.name)
  const columns = Math.floor((width - 2 * EDGE) / (CARTON + 0.15))
  const maxBoxes = contents?.boxes ?? MAX_BOXES
  let boxes = 0
  for (let row = EDGE; row + CARTON <= depth - EDGE + 0.01; row += CARTON + 0.25) {
    for (let column = 0; column < columns; column++) {
      const left = width - EDGE - CARTON - column * (CARTON + 0.15)
      const isClear = placed.every(
        (thing) =>
          left + CARTON <= thing.w || thing.w + thing.a <= left || row + CARTON <= thing.d || thing.d + thing.b <= row,
      )
      // Deep units keep a path to the far end, and stacks get lower toward the viewer so that they hide less.
      const isPath = depth > 12 && column === 1
      if (!isClear || isPath || boxes >= maxBoxes) continue
      const n = Math.max(
        1,
        Math.min(
          3,
          maxBoxes - boxes,
          3 - Math.round((2.8 * row) / depth) - ((column * 7 + Math.round(row) * 3) % 3 === 0 ? 1 : 0),
        ),
      )
      placed.push({ name: 'boxes', w: left, d: row, a: CARTON, b: CARTON, strokes: [], cartons: n })
      boxes += n
    }
  }
  return { placed, names, boxes, unplaced }
}

/**
 * Sorts furniture from far to near, in which order it is drawn. The order of pieces that do not overlap in the picture
 * does not matter.
 */
export function sortBackToFront(things: Placed[]): Placed[] {
  const isBehind = (p: Placed, q: Placed) => p.w + p.a <= q.w + 0.01 || p.d + p.b <= q.d + 0.01
  const remaining = [...things]
  const sorted: Placed[] = []
  while (remaining.length) {
    const next = remaining.findIndex((p) => remaining.every((q) => q === p || !isBehind(q, p) || isBehind(p, q)))
    sorted.push(...remaining.splice(Math.max(0, next), 1))
  }
  return sorted
}

const list = new Intl.ListFormat('en-US')

/** Combines repeated furniture names with their number: two sofas become 'a sofa (2)'. */
const countNames = (names: string[]): string[] =>
  [...new Set(names)].map((name) => {
    const count = names.filter((other) => other === name).length
    return count > 1 ? `${name} (${count})` : name
  })

const formatList = (names: string[], boxes: number): string =>
  list.format(boxes ? [...countNames(names), boxes === 1 ? '1 box' : `${boxes} boxes`] : countNames(names))

/** Describes the contents that the drawing has no room for: 'a sofa (2) and 14 boxes'; '' when it shows everything. */
export function describeOmitted(length: number, breadth: number, contents: UnitContents): string {
  const { unplaced, boxes } = placeContents(Math.min(length, breadth), Math.max(length, breadth), null, contents)
  const names = unplaced.map((name) => FURNITURE[name].name)
  return formatList(names, contents.boxes - boxes)
}

/**
 * Describes what the drawing of a size shows: 'a fridge, a washer, a dresser, a sofa, and 14 boxes'. Lengths in feet.
 */
export function describeContents(
  length: number,
  breadth: number,
  parked: ParkedVehicle | null = null,
  contents?: UnitContents,
): string {
  const { names, boxes } = placeContents(Math.min(length, breadth), Math.max(length, breadth), parked, contents)
  return formatList(names, boxes)
}
