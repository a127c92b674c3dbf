/**
 * One isometric drawing of a unit or parking space and what fits in it, from length × breadth, always to the same scale
 * (so a row of them can be compared), with the near walls cut away. What is drawn and what `whatFits` says come from one
 * packing. Measures are feet; the picture has 10 units to the foot, rounded, so that equal things give equal path text
 * and compress to almost nothing.
 */
import { useId } from 'react'

type Point = readonly [w: number, d: number, z: number]

const INK = '#14191c'
type Faces = readonly [top: string, right: string, left: string]
const KRAFT: Faces = ['#eec593', '#d9a066', '#b97f45']
const STEEL: Faces = ['#eef1f2', '#cfd6da', '#a9b4ba']
const BLUE: Faces = ['#a9c0fb', '#7f9fe8', '#5a7bcb']
const GREEN: Faces = ['#a5d3bf', '#7db59e', '#56917a']
const WOOD: Faces = ['#d9a877', '#b67f4c', '#8f6036']
const LINEN: Faces = ['#fffdf6', '#e9e2d0', '#cfc6b0']
const DARK: Faces = ['#4a555c', '#323b40', '#23292c']

const across = (feet: number) => Math.round(feet * 8.66)
const down = (feet: number) => Math.round(feet * 5)
const up = (feet: number) => Math.round(feet * 10)
/** Width runs right and down, depth left and down, from the far corner. */
const at = ([w, d, z]: Point): [number, number] => [across(w) - across(d), down(w) + down(d) - up(z)]
const step = (x: number, y: number) => `${x}${y < 0 ? '' : ' '}${y}`
const pair = (point: Point) => step(...at(point))

function shape(points: Point[]): string {
  return `M${points.map(pair).join('L')}z`
}

interface Stroke {
  d: string
  fill?: string
  /** Colour and width of a line that is not ink. */
  line?: readonly [string, number]
}

/** The three faces in sight of an upright box at (w, d, z) of a × b × h. */
function block(w: number, d: number, z: number, a: number, b: number, h: number, [top, right, left]: Faces): Stroke[] {
  const vw = step(across(a), down(a))
  const vd = step(-across(b), down(b))
  const back = step(-across(a), -down(a))
  const v = up(h)
  return [
    { d: `M${pair([w, d, z + h])}l${vw} ${vd} ${back}z`, fill: top },
    { d: `M${pair([w + a, d, z + h])}l${vd}v${v}l${step(across(b), -down(b))}z`, fill: right },
    { d: `M${pair([w, d + b, z + h])}l${vw}v${v}l${back}z`, fill: left },
  ]
}

/** A wheel on the right side. */
function wheel(w: number, d: number, r: number): Stroke {
  const rim = (k: number) =>
    Array.from(
      { length: 14 },
      (_, i): Point => [w, d + Math.cos((i * Math.PI) / 7) * k, r + Math.sin((i * Math.PI) / 7) * k],
    )
  return { d: shape(rim(r)) + shape(rim(r * 0.4)), fill: INK }
}

interface Thing {
  name: string
  a: number
  b: number
  h: number
  draw: (w: number, d: number) => Stroke[]
}

const THINGS = {
  dresser: {
    name: 'a dresser',
    a: 3.6,
    b: 1.8,
    h: 3.6,
    draw: (w, d) => [
      ...block(w, d, 0, 3.6, 1.8, 3.6, WOOD),
      { d: [1, 1.9, 2.8].map((z) => `M${pair([w + 0.2, d + 1.8, z])}l${step(across(3.2), down(3.2))}`).join('') },
    ],
  },
  fridge: {
    name: 'a fridge',
    a: 3,
    b: 2.7,
    h: 6,
    draw: (w, d) => [
      ...block(w, d, 0, 3, 2.7, 6, STEEL),
      {
        d: `M${pair([w, d + 2.7, 4])}l${step(across(3), down(3))}M${pair([w + 0.5, d + 2.7, 3.6])}v${up(1.2)}M${pair([w + 0.5, d + 2.7, 5.3])}v${up(0.8)}`,
      },
    ],
  },
  washer: {
    name: 'a washer',
    a: 2.4,
    b: 2.4,
    h: 3.2,
    draw: (w, d) => [
      ...block(w, d, 0, 2.4, 2.4, 3.2, LINEN),
      {
        d: shape(
          Array.from(
            { length: 14 },
            (_, i): Point => [
              w + 1.2 + Math.cos((i * Math.PI) / 7) * 0.75,
              d + 2.4,
              1.4 + Math.sin((i * Math.PI) / 7) * 0.75,
            ],
          ),
        ),
        fill: BLUE[0],
      },
      { d: `M${pair([w + 0.2, d + 2.4, 2.6])}l${step(across(2), down(2))}` },
    ],
  },
  sofa: {
    name: 'a sofa',
    a: 7,
    b: 3.1,
    h: 2.9,
    draw: (w, d) => [
      ...block(w, d, 0, 7, 0.9, 2.9, BLUE),
      ...block(w, d + 0.9, 0, 0.8, 2.2, 2, BLUE),
      ...block(w + 0.8, d + 0.9, 0, 5.4, 2.2, 1.4, BLUE),
      { d: `M${pair([w + 3.5, d + 0.9, 1.4])}l${step(-across(2.2), down(2.2))}v${up(1.4)}` },
      ...block(w + 6.2, d + 0.9, 0, 0.8, 2.2, 2, BLUE),
    ],
  },
  bed: {
    name: 'a queen bed',
    a: 5.2,
    b: 6.9,
    h: 3.2,
    draw: (w, d) => [
      ...block(w, d, 0, 5.2, 0.3, 3.2, WOOD),
      ...block(w, d + 0.3, 0.5, 5.2, 6.6, 1.3, LINEN),
      ...block(w + 0.4, d + 0.6, 1.8, 2, 1.3, 0.4, STEEL),
      ...block(w + 2.8, d + 0.6, 1.8, 2, 1.3, 0.4, STEEL),
      ...block(w, d + 2.9, 1.8, 5.2, 4, 0.15, GREEN),
      {
        d: shape([
          [w + 5.2, d + 2.9, 1.8],
          [w + 5.2, d + 6.9, 1.8],
          [w + 5.2, d + 6.9, 0.8],
          [w + 5.2, d + 2.9, 0.8],
        ]),
        fill: GREEN[1],
      },
      {
        d: shape([
          [w, d + 6.9, 1.8],
          [w + 5.2, d + 6.9, 1.8],
          [w + 5.2, d + 6.9, 0.8],
          [w, d + 6.9, 0.8],
        ]),
        fill: GREEN[2],
      },
    ],
  },
  // On its edge along the side wall, as one would put it.
  mattress: {
    name: 'a mattress',
    a: 0.8,
    b: 6.3,
    h: 3.6,
    draw: (w, d) => [
      ...block(w, d, 0, 0.8, 6.3, 3.6, LINEN),
      { d: [1.6, 3.2, 4.8].map((n) => `M${pair([w + 0.8, d + n, 3.6])}v${up(3.6)}`).join(''), line: ['#cfc6b0', 2] },
    ],
  },
  table: {
    name: 'a table',
    a: 5,
    b: 3,
    h: 2.5,
    draw: (w, d) => [
      ...block(w + 0.2, d + 2.5, 0, 0.3, 0.3, 2.3, WOOD),
      ...block(w + 4.5, d + 0.2, 0, 0.3, 0.3, 2.3, WOOD),
      ...block(w + 4.5, d + 2.5, 0, 0.3, 0.3, 2.3, WOOD),
      ...block(w, d, 2.3, 5, 3, 0.2, WOOD),
    ],
  },
  car: {
    name: 'a car',
    a: 6,
    b: 14,
    h: 4.8,
    draw: (w, d) => [
      ...block(w, d, 0.9, 6, 14, 2, GREEN),
      {
        d: shape([
          [w + 0.9, d + 2.8, 4.6],
          [w + 5.1, d + 2.8, 4.6],
          [w + 5.1, d + 7.6, 4.6],
          [w + 0.9, d + 7.6, 4.6],
        ]),
        fill: GREEN[0],
      },
      {
        d: shape([
          [w + 5.1, d + 2.8, 4.6],
          [w + 5.1, d + 7.6, 4.6],
          [w + 5.9, d + 9.6, 2.9],
          [w + 5.9, d + 0.8, 2.9],
        ]),
        fill: '#dbe6ff',
      },
      {
        d: shape([
          [w + 0.9, d + 7.6, 4.6],
          [w + 5.1, d + 7.6, 4.6],
          [w + 5.9, d + 9.6, 2.9],
          [w + 0.1, d + 9.6, 2.9],
        ]),
        fill: '#b9cdf7',
      },
      { d: `M${pair([w + 5.1, d + 5, 4.6])}L${pair([w + 5.9, d + 5, 2.9])}v${up(1.7)}` },
      {
        d:
          shape([
            [w + 0.4, d + 14, 2.5],
            [w + 1.6, d + 14, 2.5],
            [w + 1.6, d + 14, 1.9],
            [w + 0.4, d + 14, 1.9],
          ]) +
          shape([
            [w + 4.4, d + 14, 2.5],
            [w + 5.6, d + 14, 2.5],
            [w + 5.6, d + 14, 1.9],
            [w + 4.4, d + 14, 1.9],
          ]),
        fill: '#ffe9b0',
      },
      wheel(w + 6, d + 2.7, 1.1),
      wheel(w + 6, d + 11.2, 1.1),
    ],
  },
  boat: {
    name: 'a boat on its trailer',
    a: 7,
    b: 19,
    h: 6,
    draw: (w, d) => {
      const rim: Point[] = [
        [w, d, 4.6],
        [w + 7, d, 4.6],
        [w + 7, d + 11, 4.6],
        [w + 3.5, d + 18, 5.2],
        [w, d + 11, 4.6],
      ]
      const keel: Point[] = [
        [w + 1.2, d, 1.8],
        [w + 5.8, d, 1.8],
        [w + 5.4, d + 10, 1.8],
        [w + 3.5, d + 15, 2.4],
        [w + 1.6, d + 10, 1.8],
      ]
      const side = (i: number, j: number) => shape([rim[i]!, rim[j]!, keel[j]!, keel[i]!])
      const well = (z: number): Point[] => [
        [w + 0.7, d + 0.7, z],
        [w + 6.3, d + 0.7, z],
        [w + 6.3, d + 8, z],
        [w + 0.7, d + 8, z],
      ]
      return [
        ...block(w + 3.2, d, 0.9, 0.6, 19, 0.4, DARK),
        ...block(w + 0.6, d + 5, 0.9, 5.8, 0.5, 0.4, DARK),
        { d: side(4, 3), fill: BLUE[2] },
        { d: side(1, 2), fill: BLUE[1] },
        { d: side(3, 2), fill: BLUE[2] },
        { d: shape(rim), fill: LINEN[0] },
        { d: shape(well(4.6)), fill: LINEN[2] },
        ...block(w + 0.9, d + 1, 4, 5.2, 1.4, 1, WOOD),
        ...block(w + 1.2, d + 4.4, 4, 1.5, 1.5, 1, WOOD),
        ...block(w + 4.3, d + 4.4, 4, 1.5, 1.5, 1, WOOD),
        {
          d: shape([
            [w + 0.7, d + 8, 4.6],
            [w + 6.3, d + 8, 4.6],
            [w + 5.6, d + 7.2, 6.2],
            [w + 1.4, d + 7.2, 6.2],
          ]),
          fill: '#dbe6ff',
        },
        wheel(w + 6.4, d + 5.2, 1.1),
      ]
    },
  },
  motorhome: {
    name: 'a motorhome',
    a: 7.6,
    b: 26,
    h: 10,
    draw: (w, d) => [
      ...block(w, d, 1.2, 7.6, 26, 8.4, LINEN),
      {
        d: shape([
          [w + 7.6, d, 4.2],
          [w + 7.6, d + 26, 4.2],
          [w + 7.6, d + 26, 3.2],
          [w + 7.6, d, 3.2],
        ]),
        fill: GREEN[1],
      },
      ...[3, 9, 14].map(
        (n): Stroke => ({
          d: shape([
            [w + 7.6, d + n, 8.2],
            [w + 7.6, d + n + 3.4, 8.2],
            [w + 7.6, d + n + 3.4, 6],
            [w + 7.6, d + n, 6],
          ]),
          fill: '#b9cdf7',
        }),
      ),
      {
        d: shape([
          [w + 7.6, d + 19.4, 8.4],
          [w + 7.6, d + 22, 8.4],
          [w + 7.6, d + 22, 1.6],
          [w + 7.6, d + 19.4, 1.6],
        ]),
        fill: LINEN[0],
      },
      {
        d: shape([
          [w + 0.5, d + 26, 8.8],
          [w + 7.1, d + 26, 8.8],
          [w + 7.1, d + 26, 5.2],
          [w + 0.5, d + 26, 5.2],
        ]),
        fill: '#b9cdf7',
      },
      {
        d: shape([
          [w, d + 26, 3.4],
          [w + 7.6, d + 26, 3.4],
          [w + 7.6, d + 26, 2.6],
          [w, d + 26, 2.6],
        ]),
        fill: GREEN[2],
      },
      wheel(w + 7.6, d + 5, 1.5),
      wheel(w + 7.6, d + 23.7, 1.5),
    ],
  },
} satisfies Record<string, Thing>

type ThingName = keyof typeof THINGS

interface Placed {
  name: string
  w: number
  d: number
  a: number
  b: number
  strokes: Stroke[]
  /** Height of a stack of cartons: drawn once and used wherever such a stack stands, since there are many. */
  cartons?: number
}

const CARTON = 1.6
const WALL = 8

/** What one would try to bring, the tall things first so that they stand at the back. */
function wishes(area: number): ThingName[] {
  if (area < 40) return ['dresser']
  if (area < 75) return ['dresser', 'mattress']
  if (area < 125) return ['fridge', 'washer', 'dresser', 'sofa']
  if (area < 175) return ['fridge', 'washer', 'dresser', 'bed', 'sofa']
  if (area < 250) return ['fridge', 'washer', 'dresser', 'bed', 'sofa', 'table']
  return ['fridge', 'washer', 'dresser', 'bed', 'sofa', 'car']
}

/** A stack of n cartons, standing at the origin. */
function cartons(n: number): Stroke[] {
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

/** What stands on a parking space, and where. */
function vehicleOn(width: number, depth: number): { thing: Thing; w: number; d: number } {
  const thing = THINGS[depth >= 29 ? 'motorhome' : depth >= 20 ? 'boat' : 'car']
  return { thing, w: Math.max(0.3, (width - thing.a) / 2), d: Math.max(0.3, (depth - thing.b) / 2) }
}

/** Fills a floor of `width` × `depth`: things in rows from the far end, then stacks of boxes where room is left. */
function pack(width: number, depth: number, parking: boolean): { placed: Placed[]; names: string[]; boxes: number } {
  if (parking) {
    const { thing, w, d } = vehicleOn(width, depth)
    return {
      placed: [{ name: thing.name, w, d, a: thing.a, b: thing.b, strokes: thing.draw(w, d) }],
      names: [thing.name],
      boxes: 0,
    }
  }
  const edge = 0.3
  const placed: Placed[] = []
  let w = edge
  let d = edge
  let deep = 0
  for (const wish of wishes(width * depth)) {
    const thing: Thing = THINGS[wish]
    if (w + thing.a > width - edge) {
      w = edge
      d += deep + 0.4
      deep = 0
    }
    if (w + thing.a > width - edge || d + thing.b > depth - edge) continue
    placed.push({ name: thing.name, w, d, a: thing.a, b: thing.b, strokes: thing.draw(w, d) })
    w += thing.a + 0.4
    deep = Math.max(deep, thing.b)
  }
  const names = placed.map((thing) => thing.name)
  const columns = Math.floor((width - 2 * edge) / (CARTON + 0.15))
  let boxes = 0
  for (let row = edge; row + CARTON <= depth - edge + 0.01; row += CARTON + 0.25) {
    for (let column = 0; column < columns; column++) {
      const left = width - edge - CARTON - column * (CARTON + 0.15)
      const clear = placed.every(
        (thing) =>
          left + CARTON <= thing.w || thing.w + thing.a <= left || row + CARTON <= thing.d || thing.d + thing.b <= row,
      )
      // A path to the far end stays free in deep units, and stacks fall towards the eye so that they hide nothing.
      const path = depth > 12 && column === 1
      if (!clear || path || boxes > 40) continue
      const n = Math.max(
        1,
        Math.min(3, 3 - Math.round((2.8 * row) / depth) - ((column * 7 + Math.round(row) * 3) % 3 === 0 ? 1 : 0)),
      )
      placed.push({ name: 'boxes', w: left, d: row, a: CARTON, b: CARTON, strokes: [], cartons: n })
      boxes += n
    }
  }
  return { placed, names, boxes }
}

/** Far things first. Two that do not overlap in the picture may come in either order. */
function fromBack(things: Placed[]): Placed[] {
  const before = (p: Placed, q: Placed) => p.w + p.a <= q.w + 0.01 || p.d + p.b <= q.d + 0.01
  const left = [...things]
  const sorted: Placed[] = []
  while (left.length) {
    const next = left.findIndex((p) => left.every((q) => q === p || !before(q, p) || before(p, q)))
    sorted.push(...left.splice(Math.max(0, next), 1))
  }
  return sorted
}

function list(words: string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** 'a fridge, a washer, a dresser, a sofa and 14 boxes': what the drawing of this size shows. Feet. */
export function whatFits(length: number, breadth: number, parking = false): string {
  const { names, boxes } = pack(Math.min(length, breadth), Math.max(length, breadth), parking)
  return list(boxes ? [...names, `${boxes} boxes`] : names)
}

/** Pixels to the foot. The same for every unit of a size of drawing, so that they compare. */
const SCALE = { card: 7.4, large: 10.5 } as const

/** How far above the far corner's ground the picture of a parking space reaches, in feet: a motorhome's roof needs it. */
function highestOn(width: number, depth: number): number {
  const { thing, w, d } = vehicleOn(width, depth)
  return Math.max(6, thing.h - (w + d) / 2)
}

/** The picture's own field of view, in tenths of a foot, and its size in pixels. */
function frameOf(width: number, depth: number, parking: boolean, size: keyof typeof SCALE) {
  const measured = size === 'large'
  const high = parking ? highestOn(width, depth) : WALL
  // Wide drawings shrink to their column; their measures grow with them, to stay legible.
  const letter = measured ? 15 * Math.max(1, ((across(depth) + across(width)) * SCALE.large) / 3300) : 0
  const pad = measured ? 1.7 * letter : 3
  const box = [
    -across(depth) - pad,
    -up(high) - 3,
    across(depth) + across(width) + 2 * pad,
    down(depth) + down(width) + up(high) + (measured ? 1.4 * letter : 6),
  ] as const
  const k = SCALE[size] / 10
  return { box, letter, pixels: { width: Math.round(box[2] * k), height: Math.round(box[3] * k) } }
}

/** Where the picture of a size is served from (server/site.ts): '/drawings/10x15.svg', '/drawings/10x20-parking.svg'. */
export const drawingPath = (length: number, breadth: number, parking = false): string =>
  `/drawings/${Math.min(length, breadth)}x${Math.max(length, breadth)}${parking ? '-parking' : ''}.svg`

/** The size that an address names; null for anything else. Feet, up to 99. */
export function drawingOf(name: string): { length: number; breadth: number; parking: boolean } | null {
  const [, width, depth, parking] = /^(\d{1,2}(?:\.5)?)x(\d{1,2}(?:\.5)?)(-parking)?\.svg$/.exec(name) ?? []
  const [length, breadth] = [Number(width), Number(depth)]
  return length >= 1 && breadth >= 1 ? { length, breadth, parking: parking !== undefined } : null
}

/** The drawing of lists as a file of its own, kept by the browser: decoration, since the text beside it says the same. */
export function UnitPicture({
  length,
  breadth,
  parking = false,
}: {
  length: number
  breadth: number
  parking?: boolean
}) {
  const { pixels } = frameOf(Math.min(length, breadth), Math.max(length, breadth), parking, 'card')
  return <img className="drawing" src={drawingPath(length, breadth, parking)} alt="" loading="lazy" {...pixels} />
}

/**
 * @param length feet; the larger of the two is the depth, the smaller the side with the door
 * @param breadth feet
 * @param parking an open space with a vehicle instead of a room
 * @param size 'card' in lists (5×5 is 65 px wide, 10×30 257 px), 'large' on the size guide, with measures
 * @param label replaces the text alternative; '' marks it as decoration where the text beside it says the same
 */
export function UnitDrawing({
  length,
  breadth,
  parking = false,
  size = 'card',
  label,
}: {
  length: number
  breadth: number
  parking?: boolean
  size?: keyof typeof SCALE
  label?: string
}) {
  const width = Math.min(length, breadth)
  const depth = Math.max(length, breadth)
  const { placed } = pack(width, depth, parking)
  const stack = useId()
  const stacks = [...new Set(placed.map((thing) => thing.cartons ?? 0))].filter((n) => n > 0).sort()
  const measured = size === 'large'
  const { box, letter, pixels } = frameOf(width, depth, parking, size)
  const text =
    label ??
    `${parking ? 'Parking space' : 'Unit'}, ${width} by ${depth} feet, with room for ${whatFits(length, breadth, parking)}`
  const floor = shape([
    [0, 0, 0],
    [width, 0, 0],
    [width, depth, 0],
    [0, depth, 0],
  ])
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden
    <svg
      xmlns="http://www.w3.org/2000/svg"
      className="drawing"
      viewBox={box.map(Math.round).join(' ')}
      {...pixels}
      {...(text ? { role: 'img', 'aria-label': text } : { 'aria-hidden': true })}
    >
      {stacks.length > 0 && (
        <defs>
          {stacks.map((n) => (
            <g key={n} id={`${stack}${n}`}>
              <Strokes strokes={cartons(n)} />
            </g>
          ))}
        </defs>
      )}
      <g stroke={INK} strokeWidth="2" strokeLinejoin="round" strokeLinecap="round" fill="none">
        {parking ? (
          <>
            <path d={floor} fill="#c9cbc6" strokeWidth="1" />
            <path
              d={`M${pair([0.3, 0, 0])}L${pair([0.3, depth, 0])}M${pair([width - 0.3, 0, 0])}L${pair([width - 0.3, depth, 0])}`}
              stroke="#ffc83d"
              strokeWidth="5"
            />
          </>
        ) : (
          <Room width={width} depth={depth} floor={floor} />
        )}
        {fromBack(placed).map((thing, i) =>
          thing.cartons ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never reorders
            <StackAt key={i} href={`#${stack}${thing.cartons}`} w={thing.w} d={thing.d} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never reorders
            <Strokes key={i} strokes={thing.strokes} />
          ),
        )}
      </g>
      {measured && (
        <g fontSize={Math.round(letter)} fontWeight="600" fill="var(--color-ink)" textAnchor="middle">
          <text x={across(width) - across(depth / 2) + 1.4 * letter} y={down(width) + down(depth / 2) + 1.3 * letter}>
            {`${depth}'`}
          </text>
          <text x={across(width / 2) - across(depth) - 1.4 * letter} y={down(depth) + down(width / 2) + 1.3 * letter}>
            {`${width}'`}
          </text>
        </g>
      )}
    </svg>
  )
}

function Strokes({ strokes }: { strokes: Stroke[] }) {
  return strokes.map((stroke, index) => (
    <path
      // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never reorders
      key={index}
      d={stroke.d}
      fill={stroke.fill}
      {...(stroke.line ? { stroke: stroke.line[0], strokeWidth: stroke.line[1] } : {})}
    />
  ))
}

function StackAt({ href, w, d }: { href: string; w: number; d: number }) {
  const [x, y] = at([w, d, 0])
  return <use href={href} x={x} y={y} />
}

/** Floor, ribbed side wall, and the door in the far wall. */
function Room({ width, depth, floor }: { width: number; depth: number; floor: string }) {
  const ribs = Array.from(
    { length: Math.ceil(depth / 1.25) - 1 },
    (_, i) => `M${pair([0, (i + 1) * 1.25, WALL])}v${up(WALL)}`,
  ).join('')
  const jamb = 0.5
  const head = 7.1
  const slats = Array.from(
    { length: 8 },
    (_, i) => `M${pair([jamb, 0, (i + 0.8) * 0.85])}l${step(across(width - 2 * jamb), down(width - 2 * jamb))}`,
  ).join('')
  return (
    <>
      <path d={floor} fill="#e6dfce" />
      <path
        d={shape([
          [0, 0, WALL],
          [0, depth, WALL],
          [0, depth, 0],
          [0, 0, 0],
        ])}
        fill="#f7efd9"
      />
      <path d={ribs} stroke="#d8ccac" strokeWidth="1.500" />
      <path
        d={shape([
          [0, 0, WALL],
          [width, 0, WALL],
          [width, 0, 0],
          [0, 0, 0],
        ])}
        fill="#fffaf0"
      />
      <path
        d={shape([
          [jamb, 0, head],
          [width - jamb, 0, head],
          [width - jamb, 0, 0],
          [jamb, 0, 0],
        ])}
        fill="#ffc83d"
      />
      <path d={slats} stroke="#d99d10" strokeWidth="1.500" />
    </>
  )
}
