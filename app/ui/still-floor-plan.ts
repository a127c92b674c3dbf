/** A floor as a still picture: shapes in feet, and over them labels in pixels. */
import { escapeMarkup } from './escape-markup.ts'
import {
  boxAround,
  extentOf,
  type Floor,
  type FloorBox,
  type MapUnit,
  oblong,
  pathOf,
  rotation,
  type Sides,
  tenth,
  viewOf,
  wallsAround,
} from './floor-plan-svg.ts'

/** Unit on a still plan; a unit that can be chosen has a link that chooses it. */
export interface PlanUnit extends MapUnit {
  href?: string
}

export interface StillPlan {
  box: FloorBox
  /** SVG markup with coordinates in feet. */
  shapes: string
  /** SVG markup placed in percent of the picture; letters keep their size in pixels at any width. */
  labels: string
}

/**
 * Widths in pixels of a still floor plan: on the narrowest phone; in a window of 34rem, from which on plan.css shows more
 * labels; and the maximum, 36rem (plan.css).
 */
const WIDTHS = { narrow: 286, roomy: 464, most: 576 }
/** Minimum and maximum height of a floor plan's picture, as a share of its width. */
const HEIGHT = { least: 0.45, most: 1.15 }
const LABEL_HEIGHT = 18
/** Mean width in pixels of a letter 11 pixels high. */
const LETTER = 6.6
/** Padding of a label's plate in pixels, left and right together. */
const MARGIN = 9

interface Label {
  text: string
  /** Width of the unit in feet; its number has no plate in a picture in which the number fits into the unit. */
  room?: number
  /** Center of what the label names, in feet. */
  at: [x: number, y: number]
  kind: 'mine' | 'free' | 'sign' | 'rented'
  href?: string | undefined
}

/**
 * Place of a label: `x` and `y` as shares of the picture's size, an offset in pixels, and the label's width in pixels.
 */
interface Place {
  x: number
  y: number
  dx: number
  dy: number
  width: number
}

const widthOf = ({ text }: Label) => Math.max(24, Math.ceil(text.length * LETTER) + MARGIN)

const roomOf = (unit: Sides) => {
  const { left, right } = extentOf(unit)
  return right - left
}

const center = ({ left, top, length, width }: Sides): [number, number] => [left + length / 2, top + width / 2]

/** Extends the box around a floor in one direction, so that its height is within `HEIGHT` (a share of its width). */
function extendToAspect([left, top, width, height]: FloorBox): FloorBox {
  const wide = Math.max(width, height / HEIGHT.most)
  const high = Math.max(height, width * HEIGHT.least)
  return [tenth(left - (wide - width) / 2), tenth(top - (high - height) / 2), tenth(wide), tenth(high)]
}

/**
 * Offsets at which the name of a fixture is tried until it overlaps no placed label: `down` in steps of a label's
 * height and 2 pixels, `aside` in steps of half the label's width and 16 pixels.
 */
const labelOffsets = [0, -1, 1, -2, 2].flatMap((down) => [0, -1, 1].map((aside) => ({ down, aside })))

/**
 * Labels of a still floor plan, placed so that none overlap in the narrowest and the widest picture that shows them.
 * Labels placed earlier take precedence: a sign without room moves aside; a label that still has no room is left out.
 */
class Labels {
  readonly #placed = new Map<Label, Place>()
  readonly #box: FloorBox

  constructor(box: FloorBox) {
    this.#box = box
  }

  /**
   * Places those labels that are not placed yet, and returns the ones that have room.
   * @param minWidth width of the picture in pixels from which on the labels must not overlap
   */
  place(labels: readonly Label[], minWidth: number): [Label, Place][] {
    const newlyPlaced: [Label, Place][] = []
    for (const label of labels) {
      if (this.#placed.has(label)) continue
      const moves = label.kind === 'sign' ? labelOffsets : labelOffsets.slice(0, 1)
      const place = moves
        .map(({ down, aside }) => this.#at(label, down, aside, minWidth))
        .find((candidate) => [minWidth, WIDTHS.most].every((pixels) => this.#isFree(candidate, pixels)))
      if (!place) continue
      this.#placed.set(label, place)
      newlyPlaced.push([label, place])
    }
    return newlyPlaced
  }

  #at(label: Label, down: number, aside: number, pixels: number): Place {
    const [left, top, width, height] = this.#box
    const high = (pixels * height) / width
    const wide = widthOf(label)
    const x = (label.at[0] - left) / width
    const y = (label.at[1] - top) / height
    const clamp = (value: number, reach: number, max: number) => Math.min(max - reach, Math.max(reach, value))
    const dx = clamp(x * pixels + aside * (wide / 2 + 16), wide / 2 + 2, pixels) - x * pixels
    const dy = clamp(y * high + down * (LABEL_HEIGHT + 2), LABEL_HEIGHT / 2 + 2, high) - y * high
    return { x, y, dx, dy, width: wide }
  }

  #isFree(place: Place, pixels: number): boolean {
    const high = (pixels * this.#box[3]) / this.#box[2]
    return [...this.#placed.values()].every(
      (other) =>
        Math.abs((place.x - other.x) * pixels + place.dx - other.dx) > (place.width + other.width) / 2 ||
        Math.abs((place.y - other.y) * high + place.dy - other.dy) > LABEL_HEIGHT,
    )
  }
}

function labelMark(label: Label, { x, y, dx, dy, width }: Place, kind: string): string {
  const move = Math.round(dx) === 0 && Math.round(dy) === 0 ? '' : ` transform="translate(${tenth(dx)} ${tenth(dy)})"`
  const mark = `<g${move}><rect x="${-width / 2}" y="-9" width="${width}" height="${LABEL_HEIGHT}" rx="4"/><text>${escapeMarkup(label.text)}</text></g>`
  const link = label.href === undefined ? mark : `<a href="${escapeMarkup(label.href)}" tabindex="-1">${mark}</a>`
  return `<svg class="${kind}" x="${tenth(100 * x)}%" y="${tenth(100 * y)}%">${link}</svg>`
}

/**
 * Returns a floor plan's labels as SVG: first those with room on the narrowest phone, then those that only a wider
 * picture has room for.
 */
function labelsText(labels: readonly Label[], box: FloorBox): string {
  const places = new Labels(box)
  const fits = (label: Label, pixels: number) => ((label.room ?? 0) * pixels) / box[2] > widthOf(label) - MARGIN
  const kindOf = (label: Label) => {
    if (fits(label, WIDTHS.narrow)) return `${label.kind} bare`
    return fits(label, WIDTHS.roomy) ? `${label.kind} bare-roomy` : label.kind
  }
  // A neighbor's number helps to find the unit, but gets no plate over other units.
  const candidates = labels.filter((label) => label.kind !== 'rented' || fits(label, WIDTHS.narrow))
  const narrowMarks = places
    .place(candidates, WIDTHS.narrow)
    .map(([label, place]) => labelMark(label, place, kindOf(label)))
  const roomyMarks = places
    .place(candidates, WIDTHS.roomy)
    .map(([label, place]) => labelMark(label, place, `${kindOf(label)} roomy`))
  return [...narrowMarks, ...roomyMarks].join('')
}

/** Returns the outline of a unit as path data. */
function outlineOf(unit: Sides): string {
  const { left, top, right, bottom } = extentOf(unit)
  if (unit.rotate % 90 === 0)
    return `M${tenth(left)} ${tenth(top)}h${tenth(right - left)}v${tenth(bottom - top)}h${tenth(left - right)}z`
  const angle = (unit.rotate * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const [midX, midY] = center(unit)
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([along = 0, across = 0]) => {
    const x = (along * unit.length) / 2
    const y = (across * unit.width) / 2
    return `${tenth(midX + x * cos - y * sin)} ${tenth(midY + x * sin + y * cos)}`
  })
  return `M${corners.join('L')}z`
}

/**
 * Draws a floor as a still picture.
 * @param highlighted number of the tenant's own or the chosen unit, drawn in the color of doors; null for none
 * @param near true to show only the part that `viewOf` returns, if any, and the numbers of neighbors that fit
 */
export function stillPlan(
  { units, fixtures, way }: Omit<Floor, 'units'> & { units: readonly PlanUnit[] },
  highlighted: string | null,
  near = false,
): StillPlan {
  const own = units.filter((unit) => unit.unit_no === highlighted)
  const free = units.filter((unit) => unit.href !== undefined && unit.unit_no !== highlighted)
  const wholeBox = boxAround([...units, ...fixtures], way)
  const box = extendToAspect((near && viewOf({ units: [], fixtures, way }, own)) || wholeBox)
  const inBox = ({ at: [x, y] }: Label) => x >= box[0] && x <= box[0] + box[2] && y >= box[1] && y <= box[1] + box[3]
  const isInView = (unit: PlanUnit) => {
    const { left, top, right, bottom } = extentOf(unit)
    return right > box[0] && bottom > box[1] && left < box[0] + box[2] && top < box[1] + box[3]
  }
  const rented = units.filter((unit) => unit.href === undefined && unit.unit_no !== highlighted && isInView(unit))
  const labels: Label[] = [
    ...own.map((unit): Label => ({ text: unit.unit_no, at: center(unit), kind: 'mine', room: roomOf(unit) })),
    ...fixtures.map((thing): Label => ({ text: thing.name, at: center(thing), kind: 'sign' })),
    ...free.map(
      (unit): Label => ({ text: unit.unit_no, at: center(unit), kind: 'free', href: unit.href, room: roomOf(unit) }),
    ),
    ...(near ? rented : []).map(
      (unit): Label => ({ text: unit.unit_no, at: center(unit), kind: 'rented', room: roomOf(unit) }),
    ),
  ]
  const door = (unit: PlanUnit) => `<g${rotation(unit)}>${oblong(unit, 0.6)}</g>`
  return {
    box,
    shapes: [
      wallsAround([...units]),
      `<path class="map-rented" d="${rented.map(outlineOf).join('')}"/>`,
      pathOf(way),
      ...free.map((unit) => `<a class="free" href="${escapeMarkup(unit.href ?? '')}" tabindex="-1">${door(unit)}</a>`),
      `<g class="mine">${own.map(door).join('')}</g>`,
    ].join(''),
    labels: labelsText(labels.filter(inBox), box),
  }
}
