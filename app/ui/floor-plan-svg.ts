/** A floor as SVG text, so that hydration costs one element instead of thousands. */
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { buildingsAround, SIGN_HEIGHT_FEET, signMarkup } from './building-walls-and-signs.ts'
import { escapeMarkup } from './escape-markup.ts'

/**
 * Unit of a floor plan: before its rotation, `length` is its extent from left to right and `width` from top to bottom,
 * in feet. `rotate` is in degrees, clockwise around its middle.
 */
export interface MapUnit {
  unit_no: string
  left: number
  top: number
  length: number
  width: number
  rotate: number
  /** State of the unit, for maps that color units by state. */
  kind?: string
  /** True for a parking space, which has no building around it. */
  outside?: boolean
}

/** Fixture such as gate, rental center or elevator: drawn and named, not rented. */
interface MapFixture extends Omit<MapUnit, 'unit_no' | 'kind' | 'outside'> {
  name: string
}

export interface Floor {
  units: MapUnit[]
  fixtures: MapFixture[]
  /** Walking way to the tenant's or chosen unit, or toward its floor, as [x, y] points in feet; empty for none. */
  way: [number, number][]
}

/** Serializes a floor to one string, because the router would serialize thousands of numbers one by one. */
export const serializeFloor = (floor: Floor): string => JSON.stringify(floor)

export const parseFloor = (text: string): Floor => parseJson(text, hasFields<Floor>('units'))

/** Minimum height of a letter on the map, in pixels. */
export const MIN_LETTER_PX = 11

export const tenth = (value: number) => Math.round(value * 10) / 10

export type Sides = Pick<MapUnit, 'left' | 'top' | 'length' | 'width' | 'rotate'>

export const rotation = ({ left, top, length, width, rotate }: Sides) =>
  rotate % 360 === 0
    ? ''
    : ` transform="rotate(${tenth(rotate)} ${tenth(left + length / 2)} ${tenth(top + width / 2)})"`

/** Returns the angle of a unit's number, which is never upside down, and horizontal in a unit at a right angle. */
function uprightAngle(rotate: number): number {
  const angle = ((rotate % 360) + 360) % 360
  if (angle % 90 === 0) return 0
  return angle > 90 && angle < 270 ? angle - 180 : angle
}

/** Returns the room for a unit's number, along and across it, in feet. */
const roomIn = ({ length, width, rotate }: Sides): [number, number] =>
  rotate % 180 === 0 || rotate % 90 !== 0 ? [length, width] : [width, length]

export function extentOf({ left, top, length, width, rotate }: Sides) {
  const angle = (rotate * Math.PI) / 180
  const cos = Math.abs(Math.cos(angle))
  const sin = Math.abs(Math.sin(angle))
  const halfX = (length * cos + width * sin) / 2
  const halfY = (length * sin + width * cos) / 2
  const x = left + length / 2
  const y = top + width / 2
  return { left: x - halfX, top: y - halfY, right: x + halfX, bottom: y + halfY }
}

/** Rotates a floor plan by a quarter turn clockwise. */
function turnByQuarter({ units, fixtures, way }: Floor): Floor {
  const turn = <Thing extends Sides>(thing: Thing): Thing => ({
    ...thing,
    left: -thing.top - thing.width / 2 - thing.length / 2,
    top: thing.left + thing.length / 2 - thing.width / 2,
    rotate: thing.rotate + 90,
  })
  return { units: units.map(turn), fixtures: fixtures.map(turn), way: way.map(([x, y]) => [-y, x]) }
}

/** Returns whether the frame shows the floor more than 15 % larger when the floor is turned by a quarter. */
export function fitsBetterTurned(floor: Floor, frame: { width: number; height: number }): boolean {
  const [, , width, height] = boxAround([...floor.units, ...floor.fixtures], floor.way)
  const scale = (wide: number, high: number) => Math.min(frame.width / wide, frame.height / high)
  return scale(height, width) > 1.15 * scale(width, height)
}

/**
 * Returns the SVG text element of a floor plan's label.
 * @param size height in feet; 0 when the group around it sets the size
 */
function label(text: string, size: number, { left, top, length, width, rotate }: Sides): string {
  const x = tenth(left + length / 2)
  const y = tenth(top + width / 2)
  const angle = uprightAngle(rotate)
  const turn = angle === 0 ? '' : ` transform="rotate(${tenth(angle)} ${x} ${y})"`
  const fontSize = size === 0 ? '' : ` font-size="${tenth(size)}"`
  return `<text x="${x}" y="${y}"${fontSize}${turn}>${escapeMarkup(text)}</text>`
}

export const oblong = ({ left, top, length, width }: Sides, corner: number) =>
  `<rect x="${tenth(left)}" y="${tenth(top)}" width="${tenth(length)}" height="${tenth(width)}" rx="${corner}"/>`

export type FloorBox = [left: number, top: number, width: number, height: number]

/**
 * Returns the box of a floor plan that encloses the given shapes and the walking path.
 * @param margin feet added on each side
 */
export function boxAround(things: readonly Sides[], way: Floor['way'], margin = 6): FloorBox {
  let left = Infinity
  let top = Infinity
  let right = -Infinity
  let bottom = -Infinity
  const wayPoints = way.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y }))
  for (const extent of [...things.map(extentOf), ...wayPoints]) {
    left = Math.min(left, extent.left)
    top = Math.min(top, extent.top)
    right = Math.max(right, extent.right)
    bottom = Math.max(bottom, extent.bottom)
  }
  return [tenth(left - margin), tenth(top - margin), tenth(right - left + 2 * margin), tenth(bottom - top + 2 * margin)]
}

/** Margin that `viewOf` adds around the units, the way and the entrances that it shows, in feet. */
const VIEW_MARGIN = 8

/**
 * Returns the part of a floor with the units in `owned`, the whole way to them, and the gate, elevator or stairs nearest
 * to the start of the way, or to the first unit if there is no way. On a floor without such units, returns the part with
 * the way and the gate, elevator or stairs nearest to each of its ends; null if there is no way either.
 * @param owned the tenant's units on the floor, or the unit that a renter has chosen
 */
export function viewOf({ fixtures, way }: Floor, owned: readonly MapUnit[]): FloorBox | null {
  const [first] = owned
  const end = way.at(-1)
  const start = way[0] ?? (first && [first.left + first.length / 2, first.top + first.width / 2])
  if (!start) return null
  const entrances = fixtures.filter(({ name }) => /gate|elevator|lift|stairs/i.test(name))
  const nearest = ([x, y]: readonly number[]) => {
    const distance = ({ left, top, length, width }: Sides) =>
      Math.hypot(left + length / 2 - (x ?? 0), top + width / 2 - (y ?? 0))
    return entrances.toSorted((entrance, other) => distance(entrance) - distance(other)).slice(0, 1)
  }
  const entrancesAtEnds = [...nearest(start), ...(first || !end ? [] : nearest(end))]
  return boxAround([...owned, ...entrancesAtEnds], way, VIEW_MARGIN)
}

const numberSize = (unit: MapUnit) => {
  const [along, across] = roomIn(unit)
  return Math.min(4.5, (along / Math.max(2, unit.unit_no.length)) * 1.4, Math.max(across * 0.8, 1))
}

function unitShape(unit: MapUnit): string {
  const door = `<path d="M${tenth(unit.left + 1)} ${tenth(unit.top + unit.width)}h${tenth(Math.max(0, unit.length - 2))}"/>`
  const kind = unit.kind === undefined ? '' : ` data-state="${escapeMarkup(unit.kind)}"`
  return `<g${kind}${rotation(unit)}>${oblong(unit, 0.6)}${door}</g>`
}

/** Draws the walls around the buildings of a floor. */
export function wallsAround(units: readonly MapUnit[]): string {
  const walls = buildingsAround(units.filter((unit) => !unit.outside).map(extentOf)).map(
    ({ left, top, right, bottom }) =>
      `<rect x="${tenth(left)}" y="${tenth(top)}" width="${tenth(right - left)}" height="${tenth(bottom - top)}" rx="1"/>`,
  )
  return `<g class="map-walls">${walls.join('')}</g>`
}

export const pathOf = (way: Floor['way']): string =>
  way.length > 1 ? `<path class="map-way" d="M${way.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join('L')}"/>` : ''

/** Groups number labels by their size in feet, so that labels too small to read are hidden together. */
function numbersOf(units: readonly MapUnit[]): Map<number, string[]> {
  const sizes = new Map<number, string[]>()
  for (const unit of units) {
    const size = tenth(numberSize(unit))
    const labels = sizes.get(size) ?? []
    if (labels.push(label(unit.unit_no, 0, unit)) === 1) sizes.set(size, labels)
  }
  return sizes
}

/**
 * Draws a floor as SVG.
 * @param mine unit numbers of the tenant, drawn in the color of doors
 * @param quarters quarter turns, clockwise
 * @returns box of the picture and `own`, the part that `viewOf` returns, in feet; the markup; the width in pixels at
 *   which signs and the numbers of other units are readable, except numbers less than a foot high
 */
export function floorPicture(
  floor: Floor,
  mine: ReadonlySet<string>,
  quarters = 0,
): { box: FloorBox; own: FloorBox | null; markup: string; readableWidth: number } {
  if (quarters % 4 > 0) return floorPicture(turnByQuarter(floor), mine, (quarters % 4) - 1)
  const { units, fixtures, way } = floor
  const box = boxAround([...units, ...fixtures], way)
  const owned = units.filter((unit) => mine.has(unit.unit_no))
  const others = units.filter((unit) => !mine.has(unit.unit_no))
  const labels = numbersOf(others)
  const own = owned.map((unit) => unitShape(unit) + label(unit.unit_no, numberSize(unit), unit))
  const shapes = others.map(unitShape)
  const things = fixtures.map((thing) => `<g${rotation(thing)}>${oblong(thing, 1)}</g>`)
  const signs = fixtures.map((thing) =>
    signMarkup(thing.name, escapeMarkup(thing.name), {
      x: tenth(thing.left + thing.length / 2),
      y: tenth(thing.top + thing.width / 2),
    }),
  )
  const numbers = [...labels].map(([size, texts]) => `<g font-size="${size}">${texts.join('')}</g>`)
  return {
    box,
    own: viewOf(floor, owned),
    readableWidth: Math.ceil((box[2] * MIN_LETTER_PX) / Math.max(1, Math.min(SIGN_HEIGHT_FEET, ...labels.keys()))),
    markup: [
      wallsAround(units),
      `<g class="map-fixtures">${things.join('')}</g>`,
      `<g class="map-units">${shapes.join('')}</g>`,
      `<g class="map-labels">${numbers.join('')}</g>`,
      pathOf(way),
      signs.join(''),
      `<g class="map-mine">${own.join('')}</g>`,
    ].join(''),
  }
}
