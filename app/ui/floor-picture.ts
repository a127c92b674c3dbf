/** One floor as SVG text: thousands of units cost the page one element to hydrate. */

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
  /** Drawn without its number. */
  quiet?: boolean
}

/** Gate, Rental Center, Elevator …: drawn and named, not let. */
interface MapFixture extends Omit<MapUnit, 'unit_no' | 'kind' | 'href' | 'quiet'> {
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

const MOST_PINS = 3

const tenth = (value: number) => Math.round(value * 10) / 10

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const turned = ({ left, top, length, width, rotate }: Omit<MapUnit, 'unit_no'>) =>
  rotate % 360 === 0
    ? ''
    : ` transform="rotate(${tenth(rotate)} ${tenth(left + length / 2)} ${tenth(top + width / 2)})"`

/** A number is never upside down, though its unit is. */
function uprightAngle(rotate: number): number {
  const angle = ((rotate % 360) + 360) % 360
  return angle > 90 && angle < 270 ? angle - 180 : angle
}

function label(text: string, size: number, { left, top, length, width, rotate }: Omit<MapUnit, 'unit_no'>): string {
  const [x, y] = [tenth(left + length / 2), tenth(top + width / 2)]
  const angle = uprightAngle(rotate)
  const turn = angle === 0 ? '' : ` transform="rotate(${tenth(angle)} ${x} ${y})"`
  return `<text x="${x}" y="${y}" font-size="${tenth(size)}"${turn}>${escaped(text)}</text>`
}

const oblong = ({ left, top, length, width }: Omit<MapUnit, 'unit_no'>, corner: number) =>
  `<rect x="${tenth(left)}" y="${tenth(top)}" width="${tenth(length)}" height="${tenth(width)}" rx="${corner}"/>`

/** `mine` are unit numbers: door-yellow, with a pin. @returns the picture's box in feet, and its markup */
export function floorPicture(
  { units, fixtures, way }: Floor,
  mine: ReadonlySet<string>,
): { box: [number, number, number, number]; markup: string } {
  const all = [...units, ...fixtures]
  // A turned oblong reaches at most its longer side from its corner.
  const reach = (thing: (typeof all)[number]) =>
    thing.rotate % 180 === 0 ? 0 : Math.max(thing.length, thing.width) / 2
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const thing of all) {
    const more = reach(thing)
    left = Math.min(left, thing.left - more)
    top = Math.min(top, thing.top - more)
    right = Math.max(right, thing.left + thing.length + more)
    bottom = Math.max(bottom, thing.top + thing.width + more)
  }
  for (const [x, y] of way) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  const margin = 6
  // The pin stands above its unit.
  const box: [number, number, number, number] = [
    tenth(left - margin),
    tenth(top - margin - 10),
    tenth(right - left + 2 * margin),
    tenth(bottom - top + 2 * margin + 10),
  ]
  const pin = tenth(Math.max(8, box[2] / 34) / 20)
  const numberSize = (unit: MapUnit) => Math.min(4.5, (unit.length / Math.max(2, unit.unit_no.length)) * 1.4)
  const pinned = units.filter((unit) => mine.has(unit.unit_no)).length
  const shapes: string[] = []
  const labels: string[] = []
  const own: string[] = []
  const pins: string[] = []
  for (const unit of units) {
    const door = `<path d="M${tenth(unit.left + 1)} ${tenth(unit.top + unit.width)}h${tenth(Math.max(0, unit.length - 2))}"/>`
    const kind = unit.kind === undefined ? '' : ` data-state="${escaped(unit.kind)}"`
    const shape = `<g${kind}${turned(unit)}>${oblong(unit, 0.6)}${door}</g>`
    if (mine.has(unit.unit_no)) {
      own.push(shape, label(unit.unit_no, numberSize(unit), unit))
      // Pins beside one another hide the numbers behind them: of many units only the first has one.
      if (pins.length > 0 && pinned > MOST_PINS) continue
      // Its point ends above the number, which stands along the unit.
      const along = Math.abs(Math.sin((unit.rotate * Math.PI) / 180))
      const lift = numberSize(unit) * (0.6 * (1 - along) + 0.35 * unit.unit_no.length * along)
      pins.push(
        `<g class="map-pin" transform="translate(${tenth(unit.left + unit.length / 2)} ${tenth(unit.top + unit.width / 2 - lift)}) scale(${pin})"><path d="M0 0C-9-11-13-16-13-24a13 13 0 0 1 26 0C13-16 9-11 0 0z"/><path d="M-6-26h12v9h-12zM-6-22h12" class="map-pin-door"/></g>`,
      )
    } else {
      shapes.push(unit.href === undefined ? shape : `<a href="${escaped(unit.href)}" tabindex="-1">${shape}</a>`)
      if (!unit.quiet) labels.push(label(unit.unit_no, numberSize(unit), unit))
    }
  }
  const things = fixtures.map((thing) => {
    const size = Math.min(6, thing.width * 0.8, Math.max(2.6, (thing.length / Math.max(1, thing.name.length)) * 1.5))
    return `<g${turned(thing)}>${oblong(thing, 1)}</g>${label(thing.name, size, thing)}`
  })
  const path =
    way.length > 1 ? `<path class="map-way" d="M${way.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join('L')}"/>` : ''
  return {
    box,
    markup: [
      `<g class="map-units">${shapes.join('')}</g>`,
      `<g class="map-labels">${labels.join('')}</g>`,
      path,
      `<g class="map-fixtures">${things.join('')}</g>`,
      `<g class="map-mine">${own.join('')}</g>`,
      pins.join(''),
    ].join(''),
  }
}

export interface ScreenBox {
  left: number
  top: number
  width: number
  height: number
}

/** Numbers of this many pixels are read at arm's length. */
const READABLE = 12

/**
 * How near to look so that the numbers of one's own units can be read, and at what: at all of them where that fits the frame,
 * else at the first. `own` as the whole floor shows them; `letter` is the height of their smallest number there, in pixels.
 */
export function nearView(
  own: readonly [ScreenBox, ...ScreenBox[]],
  letter: number,
  frame: { width: number; height: number },
  least: number,
): { scale: number; at: ScreenBox } {
  const scale = Math.max(least, READABLE / Math.max(letter, 0.1))
  const left = Math.min(...own.map((box) => box.left))
  const top = Math.min(...own.map((box) => box.top))
  const all = {
    ...{ left, top },
    width: Math.max(...own.map((box) => box.left + box.width)) - left,
    height: Math.max(...own.map((box) => box.top + box.height)) - top,
  }
  const fits = all.width * scale <= frame.width && all.height * scale <= frame.height
  return { scale, at: fits ? all : own[0] }
}
