/**
 * Isometric drawing of a unit or parking space and what fits in it, to one scale for each `size` of drawing, and the
 * name of its image file.
 */
import { useId } from 'react'
import {
  type ParkedVehicle,
  type Vehicle,
  vehicles,
} from '../../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { INK } from '../illustration-colors.ts'
import {
  across,
  down,
  FURNITURE,
  leftFace,
  pair,
  projectToPicture,
  rightFace,
  type Stroke,
  step,
  topFace,
  up,
} from './furniture.ts'
import {
  cartonStack,
  describeContents,
  placeContents,
  sortBackToFront,
  type UnitContents,
  vehicleOn,
  WALL,
} from './unit-contents.ts'

/** Pixels per foot by size of drawing. */
const SCALE = { card: 5.6, large: 10.5 } as const

/**
 * Returns how high the drawing of a parking space reaches above the ground at the far corner, in feet of height: over
 * the canopy of a covered space, otherwise over the vehicle, and at least 6.
 */
function highestOn(parked: ParkedVehicle, width: number, depth: number): number {
  const { thing, w, d } = vehicleOn(parked.vehicle, width, depth)
  return parked.covered ? canopyOver(parked.vehicle) + 1.5 : Math.max(6, thing.h - (w + d) / 2)
}

/**
 * Returns the view box of a unit's drawing and the letter height of its measures, both in tenths of a foot, and its size
 * in pixels.
 */
function frameOf(width: number, depth: number, parked: ParkedVehicle | null, size: keyof typeof SCALE) {
  const hasMeasures = size === 'large'
  const high = parked ? highestOn(parked, width, depth) : WALL
  // Wide drawings shrink to their column, so their measures grow to stay legible.
  const letter = hasMeasures ? 15 * Math.max(1, ((across(depth) + across(width)) * SCALE.large) / 3300) : 0
  const pad = hasMeasures ? 1.7 * letter : parked?.covered ? 10 : 3
  const box = [
    -across(depth) - pad,
    -up(high) - 3,
    across(depth) + across(width) + 2 * pad,
    down(depth) + down(width) + up(high) + (hasMeasures ? 1.4 * letter : 6),
  ] as const
  const k = SCALE[size] / 10
  return { box, letter, pixels: { width: Math.round(box[2] * k), height: Math.round(box[3] * k) } }
}

/**
 * Returns the path of a drawing's file (server/web/static-files.ts): '/drawings/10x15.svg',
 * '/drawings/12x35-boat-covered.svg'.
 */
const drawingPath = (length: number, breadth: number, parked: ParkedVehicle | null = null): string =>
  `/drawings/${Math.min(length, breadth)}x${Math.max(length, breadth)}${parked ? `-${parked.vehicle}${parked.covered ? '-covered' : ''}` : ''}.svg`

/**
 * Parses the name of a drawing's file.
 * @returns length and breadth in feet, 1 to 99.5 in half feet, and the vehicle; null for other names
 */
export function drawingOf(name: string): { length: number; breadth: number; parked: ParkedVehicle | null } | null {
  const [, width, depth, vehicleName, covered] =
    /^(\d{1,2}(?:\.5)?)x(\d{1,2}(?:\.5)?)(?:-([a-z]+)(-covered)?)?\.svg$/.exec(name) ?? []
  const length = Number(width)
  const breadth = Number(depth)
  if (!(length >= 1 && breadth >= 1)) return null
  if (vehicleName === undefined) return { length, breadth, parked: null }
  const vehicle = vehicles.find((candidate) => candidate === vehicleName)
  return vehicle ? { length, breadth, parked: { vehicle, covered: covered !== undefined } } : null
}

/** Drawing of a unit or parking space as a separate image file, without a text alternative. */
export function UnitPicture({
  length,
  breadth,
  parked = null,
  size = 'card',
}: Omit<DrawingFacts, 'label' | 'contents'>) {
  const { pixels } = frameOf(Math.min(length, breadth), Math.max(length, breadth), parked, 'card')
  const enlargement = SCALE[size] / SCALE.card
  return (
    <img
      className="drawing"
      src={drawingPath(length, breadth, parked)}
      alt=""
      loading="lazy"
      width={Math.round(pixels.width * enlargement)}
      height={Math.round(pixels.height * enlargement)}
    />
  )
}

interface DrawingFacts {
  /** One side in feet. The larger side is the depth; the smaller has the door. */
  length: number
  /** The other side in feet. */
  breadth: number
  /** Vehicle on a parking space; null for a unit. */
  parked?: ParkedVehicle | null
  size?: keyof typeof SCALE
  /** Replaces the text alternative; '' when the text beside it says the same. */
  label?: string
  /** Contents to draw instead of what usually fits. */
  contents?: UnitContents
}

export function UnitDrawing({ length, breadth, parked = null, size = 'card', label, contents }: DrawingFacts) {
  const width = Math.min(length, breadth)
  const depth = Math.max(length, breadth)
  const { placed } = placeContents(width, depth, parked, contents)
  const stack = useId()
  const stacks = [...new Set(placed.map((thing) => thing.cartons ?? 0))].filter((n) => n > 0).sort()
  const { box, letter, pixels } = frameOf(width, depth, parked, size)
  const text =
    label ??
    `${parked ? 'Parking space' : 'Unit'}, ${width} by ${depth} feet, with room for ${describeContents(length, breadth, parked, contents)}`
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
              <Strokes strokes={cartonStack(n)} />
            </g>
          ))}
        </defs>
      )}
      <g stroke={INK} strokeWidth="2" strokeLinejoin="round" strokeLinecap="round" fill="none">
        {parked ? <Space width={width} depth={depth} /> : <Room width={width} depth={depth} />}
        {parked?.covered && <Posts width={width} depth={depth} high={canopyOver(parked.vehicle)} far />}
        {sortBackToFront(placed).map(({ cartons: high, strokes, w, d }) => {
          const [x, y] = projectToPicture([w, d, 0])
          const key = `${x} ${y}`
          return high ? (
            <use key={key} href={`#${stack}${high}`} x={x} y={y} />
          ) : (
            <Strokes key={key} strokes={strokes} />
          )
        })}
        {parked?.covered && <Canopy width={width} depth={depth} high={canopyOver(parked.vehicle)} />}
      </g>
      {size === 'large' && <Measures width={width} depth={depth} letter={letter} />}
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

function Measures({ width, depth, letter }: { width: number; depth: number; letter: number }) {
  return (
    <g fontSize={Math.round(letter)} fontWeight="600" fill="var(--color-ink)" textAnchor="middle">
      <text x={across(width) - across(depth / 2) + 1.4 * letter} y={down(width) + down(depth / 2) + 1.3 * letter}>
        {`${depth}'`}
      </text>
      <text x={across(width / 2) - across(depth) - 1.4 * letter} y={down(depth) + down(width / 2) + 1.3 * letter}>
        {`${width}'`}
      </text>
    </g>
  )
}

function Space({ width, depth }: { width: number; depth: number }) {
  const line = (w: number) => `M${pair([w, 0, 0])}L${pair([w, depth, 0])}`
  return (
    <>
      <path d={topFace(0, width, 0, depth, 0)} fill="#c9cbc6" strokeWidth="1" />
      <path d={line(0.3) + line(width - 0.3)} stroke="#ffc83d" strokeWidth="5" />
    </>
  )
}

/** Returns the height of the canopy's beams above the ground in feet, so high that the vehicle stays visible. */
const canopyOver = (vehicle: Vehicle) => FURNITURE[vehicle].h + 4.5

/**
 * Draws the posts of a canopy over a parking space.
 * @param far the posts behind the vehicle; otherwise those in front of it
 */
function Posts({ width, depth, high, far = false }: { width: number; depth: number; high: number; far?: boolean }) {
  const [w, depths] = far ? [0, [0, depth / 2]] : [width, [0, depth / 2, depth]]
  const corner = far ? '' : `M${pair([0, depth, high])}v${up(high)}`
  return <path d={depths.map((d) => `M${pair([w, d, high])}v${up(high)}`).join('') + corner} strokeWidth="5" />
}

function Canopy({ width, depth, high }: { width: number; depth: number; high: number }) {
  const w1 = -0.5
  const w2 = width + 0.5
  const d1 = -0.5
  const d2 = depth + 0.5
  // The roof covers the far half only, so that the vehicle stays visible; the beams continue.
  const end = depth * 0.5
  const ribs = Array.from({ length: Math.floor(end / 2) }, (_, i) => {
    const d = 1 + i * 2
    return `M${pair([w1, d, high + 0.9])}L${pair([w2, d, high + 0.9])}`
  }).join('')
  return (
    <>
      <Posts width={width} depth={depth} high={high} />
      <path d={topFace(w1, w2, d1, end, high + 0.9)} fill="#e4e9ea" />
      <path d={ribs} stroke="#b3bec3" strokeWidth="1.500" />
      <path d={rightFace(w2, d1, d2, high + 0.9, high)} fill="#ffc83d" />
      <path d={leftFace(w1, w2, end, high + 0.9, high)} fill="#e0a61e" />
      <path d={`M${pair([w1, end, high + 0.9])}L${pair([w1, d2, high + 0.9])}`} strokeWidth="4" />
      <path d={leftFace(w1, w2, d2, high + 0.9, high)} fill="#e0a61e" />
    </>
  )
}

function Room({ width, depth }: { width: number; depth: number }) {
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
      <path d={topFace(0, width, 0, depth, 0)} fill="#e6dfce" />
      <path d={rightFace(0, 0, depth, WALL, 0)} fill="#f7efd9" />
      <path d={ribs} stroke="#d8ccac" strokeWidth="1.500" />
      <path d={leftFace(0, width, 0, WALL, 0)} fill="#fffaf0" />
      <path d={leftFace(jamb, width - jamb, 0, head, 0)} fill="#ffc83d" />
      <path d={slats} stroke="#d99d10" strokeWidth="1.500" />
    </>
  )
}
