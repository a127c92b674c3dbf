/** One floor as SVG text: thousands of units cost the page one element to hydrate. */
import { buildingsAround, SIGN, signMarkup } from './floor-signs.ts'

export interface MapUnit {
  unit_no: string
  left: number
  top: number
  length: number
  width: number
  rotate: number
  /** What it is now, for a picture that tells them apart. */
  kind?: string
  /** Where a press on it leads. */
  href?: string
  /** Not told apart from the others that are: no number, no link. */
  quiet?: boolean
  /** A parking space: no building stands around it. */
  outside?: boolean
}

/** Gate, Rental Center, Elevator …: drawn and named, not let. */
interface MapFixture extends Omit<MapUnit, 'unit_no' | 'kind' | 'href' | 'quiet' | 'outside'> {
  name: string
}

export interface Floor {
  units: MapUnit[]
  fixtures: MapFixture[]
  /** On foot to one's own unit: [x, y] in feet. */
  way: [number, number][]
}

/** As a page carries it: one text, since the router would serialise each of thousands of numbers. */
export const floorText = (floor: Floor): string => JSON.stringify(floor)

/** Pixels: no letter of the map is smaller. */
export const LEAST_LETTER = 11

const tenth = (value: number) => Math.round(value * 10) / 10

type Sides = Pick<MapUnit, 'left' | 'top' | 'length' | 'width' | 'rotate'>

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const turned = ({ left, top, length, width, rotate }: Sides) =>
  rotate % 360 === 0
    ? ''
    : ` transform="rotate(${tenth(rotate)} ${tenth(left + length / 2)} ${tenth(top + width / 2)})"`

/** A number is never upside down, though its unit is, nor on its side where the unit stands square. */
function uprightAngle(rotate: number): number {
  const angle = ((rotate % 360) + 360) % 360
  if (angle % 90 === 0) return 0
  return angle > 90 && angle < 270 ? angle - 180 : angle
}

/** What a number has to stand in, along it and across. */
const roomIn = ({ length, width, rotate }: Sides) =>
  (rotate % 180 === 0 || rotate % 90 !== 0 ? [length, width] : [width, length]) as [number, number]

function extentOf({ left, top, length, width, rotate }: Sides) {
  const angle = (rotate * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const [halfX, halfY] = [(length * cos + width * sin) / 2, (length * sin + width * cos) / 2]
  const [x, y] = [left + length / 2, top + width / 2]
  return { left: x - halfX, top: y - halfY, right: x + halfX, bottom: y + halfY }
}

/** The same floor a quarter further round, clockwise. */
function quarterRound({ units, fixtures, way }: Floor): Floor {
  const round = <Thing extends Sides>(thing: Thing): Thing => ({
    ...thing,
    left: -thing.top - thing.width / 2 - thing.length / 2,
    top: thing.left + thing.length / 2 - thing.width / 2,
    rotate: thing.rotate + 90,
  })
  return { units: units.map(round), fixtures: fixtures.map(round), way: way.map(([x, y]) => [-y, x]) }
}

/** Whether a floor fills a frame better on its side. */
export function fillsOnItsSide(floor: Floor, frame: { width: number; height: number }): boolean {
  const [, , width, height] = boxAround([...floor.units, ...floor.fixtures], floor.way)
  const scale = (wide: number, high: number) => Math.min(frame.width / wide, frame.height / high)
  return scale(height, width) > 1.15 * scale(width, height)
}

/** @param size feet; 0 where its group says it */
function label(text: string, size: number, { left, top, length, width, rotate }: Sides): string {
  const [x, y] = [tenth(left + length / 2), tenth(top + width / 2)]
  const angle = uprightAngle(rotate)
  const turn = angle === 0 ? '' : ` transform="rotate(${tenth(angle)} ${x} ${y})"`
  const high = size === 0 ? '' : ` font-size="${tenth(size)}"`
  return `<text x="${x}" y="${y}"${high}${turn}>${escaped(text)}</text>`
}

const oblong = ({ left, top, length, width }: Sides, corner: number) =>
  `<rect x="${tenth(left)}" y="${tenth(top)}" width="${tenth(length)}" height="${tenth(width)}" rx="${corner}"/>`

export type Box = [left: number, top: number, width: number, height: number]

/** @param margin feet on each side */
function boxAround(things: readonly Sides[], way: Floor['way'], margin = 6): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const ends = way.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y }))
  for (const extent of [...things.map(extentOf), ...ends]) {
    left = Math.min(left, extent.left)
    top = Math.min(top, extent.top)
    right = Math.max(right, extent.right)
    bottom = Math.max(bottom, extent.bottom)
  }
  return [tenth(left - margin), tenth(top - margin), tenth(right - left + 2 * margin), tenth(bottom - top + 2 * margin)]
}

/** Feet around what one looks for. */
const VIEW_MARGIN = 8

/** Returns the part of a floor with one's own units, the whole way to them and the gate or elevator where the way begins. */
function viewOf({ fixtures, way }: Floor, owned: readonly MapUnit[]): Box | null {
  const [first] = owned
  if (first === undefined) return null
  const [fromX, fromY] = way[0] ?? [first.left + first.length / 2, first.top + first.width / 2]
  const distance = ({ left, top, length, width }: Sides) =>
    Math.hypot(left + length / 2 - fromX, top + width / 2 - fromY)
  const entrances = fixtures.filter(({ name }) => /gate|elevator|lift/i.test(name))
  const nearest = entrances.toSorted((one, other) => distance(one) - distance(other)).slice(0, 1)
  return boxAround([...owned, ...nearest], way, VIEW_MARGIN)
}

const numberSize = (unit: MapUnit) => {
  const [along, across] = roomIn(unit)
  return Math.min(4.5, (along / Math.max(2, unit.unit_no.length)) * 1.4, Math.max(across * 0.8, 1))
}

function unitShape(unit: MapUnit): string {
  const door = `<path d="M${tenth(unit.left + 1)} ${tenth(unit.top + unit.width)}h${tenth(Math.max(0, unit.length - 2))}"/>`
  const kind = unit.kind === undefined ? '' : ` data-state="${escaped(unit.kind)}"`
  const shape = `<g${kind}${turned(unit)}>${oblong(unit, 0.6)}${door}</g>`
  return unit.href === undefined ? shape : `<a href="${escaped(unit.href)}" tabindex="-1">${shape}</a>`
}

/** All of them as one outline and one path of doors: of a floor of thousands each would be an element. */
function quietShapes(units: readonly MapUnit[]): string {
  if (units.length === 0) return ''
  const outlines: string[] = []
  const doors: string[] = []
  for (const { left, top, length, width, rotate } of units) {
    const angle = (rotate * Math.PI) / 180
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const at = (along: number, across: number) => {
      const [x, y] = [along - length / 2, across - width / 2]
      return `${tenth(left + length / 2 + x * cos - y * sin)} ${tenth(top + width / 2 + x * sin + y * cos)}`
    }
    outlines.push(`M${at(0, 0)}L${at(length, 0)} ${at(length, width)} ${at(0, width)}z`)
    doors.push(`M${at(1, width)}L${at(Math.max(1, length - 1), width)}`)
  }
  return `<path class="map-quiet" d="${outlines.join('')}"/><path class="map-quiet-door" d="${doors.join('')}"/>`
}

/** Numbers by their size in feet, so that those too small to be read can be left out at once. */
function numbersOf(units: readonly MapUnit[]): Map<number, string[]> {
  const sizes = new Map<number, string[]>()
  for (const unit of units) {
    const size = tenth(numberSize(unit))
    const alike = sizes.get(size) ?? []
    if (alike.push(label(unit.unit_no, 0, unit)) === 1) sizes.set(size, alike)
  }
  return sizes
}

/**
 * Draws a floor as SVG.
 * @param mine numbers of one's own units, drawn as yellow doors
 * @param quarters quarter turns, clockwise
 * @returns the picture's box and the part around one's own units, in feet; the markup; the width in pixels at which every letter is readable
 */
export function floorPicture(
  floor: Floor,
  mine: ReadonlySet<string>,
  quarters = 0,
): { box: Box; own: Box | null; markup: string; readableWidth: number } {
  if (quarters % 4 > 0) return floorPicture(quarterRound(floor), mine, (quarters % 4) - 1)
  const { units, fixtures, way } = floor
  const box = boxAround([...units, ...fixtures], way)
  const owned = units.filter((unit) => mine.has(unit.unit_no))
  const others = units.filter((unit) => !mine.has(unit.unit_no))
  const labels = numbersOf(others.filter((unit) => !unit.quiet))
  const own = owned.map((unit) => unitShape(unit) + label(unit.unit_no, numberSize(unit), unit))
  // The quiet ones first, so that their lines cross no other's.
  const shapes = others.filter((unit) => !unit.quiet).map(unitShape)
  const things = fixtures.map((thing) => `<g${turned(thing)}>${oblong(thing, 1)}</g>`)
  const signs = fixtures.map((thing) =>
    signMarkup(thing.name, escaped(thing.name), {
      x: tenth(thing.left + thing.length / 2),
      y: tenth(thing.top + thing.width / 2),
    }),
  )
  const walls = buildingsAround(units.filter((unit) => !unit.outside).map(extentOf)).map(
    ({ left, top, right, bottom }) =>
      `<rect x="${tenth(left)}" y="${tenth(top)}" width="${tenth(right - left)}" height="${tenth(bottom - top)}" rx="1"/>`,
  )
  const numbers = [...labels].map(([size, texts]) => `<g font-size="${size}">${texts.join('')}</g>`)
  const path =
    way.length > 1 ? `<path class="map-way" d="M${way.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join('L')}"/>` : ''
  return {
    box,
    own: viewOf(floor, owned),
    readableWidth: Math.ceil((box[2] * LEAST_LETTER) / Math.max(1, Math.min(SIGN, ...labels.keys()))),
    markup: [
      `<g class="map-walls">${walls.join('')}</g>`,
      `<g class="map-fixtures">${things.join('')}</g>`,
      `<g class="map-units">${quietShapes(others.filter((unit) => unit.quiet))}${shapes.join('')}</g>`,
      `<g class="map-labels">${numbers.join('')}</g>`,
      path,
      signs.join(''),
      `<g class="map-mine">${own.join('')}</g>`,
    ].join(''),
  }
}
