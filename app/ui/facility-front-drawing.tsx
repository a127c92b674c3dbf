/** Drawing of a facility from its driveway, derived from its records. */
import type { FacilityLook, Walls } from '../../modules/facilities/rules/facility-front-to-draw.ts'
import { DOOR, DoorShape } from './door-drawing.tsx'
import { INK, INSIDE } from './illustration-colors.ts'
import { VehicleAt, vehicleWidth } from './vehicle-drawings.tsx'

const OUTLINE = 'var(--color-ink)'
const GROUND = 214
const GLASS = '#cddcf3'

/** Function that returns an integer from 0 to `count` − 1. */
type Picker = (count: number) => number

/**
 * Returns a pseudo-random picker that starts at the FNV-1a hash of `seed`, so that a facility always looks the same.
 */
function createPicker(seed: string): Picker {
  let state = 2166136261
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619)
  state = state >>> 0 || 1
  return (count) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return (state >>> 8) % count
  }
}

/** Paint colors by wall; a facility gets one of them. */
const paints: Record<Walls, readonly string[]> = {
  brick: ['#c97b5f', '#bd6a52', '#d0906f'],
  stone: ['#e0d6bf', '#d8d3c6', '#e6dcc6'],
  stucco: ['#f4e7cf', '#f0dccb', '#eeeade'],
  concrete: ['#dcded9', '#d3d8d9', '#e4e2db'],
  metal: ['#dfe5e8', '#cfdad6', '#e9e2d3'],
  wood: ['#dcc6a0', '#bccab6', '#d9cdbd'],
}

/** Lines of a facility's drawn walls as pattern tiles, by wall material; they darken the paint. */
const textures: Partial<Record<Walls, { width: number; height: number; d: string }>> = {
  brick: { width: 18, height: 12, d: 'M0 .5h18M0 6.500h18M4.500 .5v6M13.500 6.500v6' },
  stone: { width: 44, height: 30, d: 'M0 .5h44M0 14.500h44M12.500 .5v14M34.500 .5v14M23.500 14.500v16' },
  metal: { width: 9, height: 9, d: 'M.5 0v9' },
  wood: { width: 20, height: 8, d: 'M0 .5h20' },
}

interface Place {
  x: number
  w: number
}

/** Position of a drawn building, the `fill` of its walls, and the picker of its details. */
interface BuildingPlace extends Place {
  wall: string
  pick: Picker
}

/** Row of units with driveway doors under one roof, part of a facility's drawn front. One of the doors is open. */
function Row({ x, w, low, wall, pick }: BuildingPlace & { low: boolean }) {
  const high = low ? 74 : 92
  const top = GROUND - high - 22
  const otherColor = ['#8fb5a5', '#c9d0d3', '#d98f6c', '#9db4d6'][pick(4)] as string
  const hasColoredDoors = pick(2) === 1
  const count = Math.max(2, Math.round(w / (low ? 84 : 98)))
  const weights = Array.from({ length: count }, () => 3 + pick(2))
  const total = weights.reduce((a, b) => a + b, 0)
  const gap = 16
  const room = w - gap * (count + 1)
  const open = pick(count)
  const inside = (['cartons', 'car', 'sofa'] as const)[pick(3)] ?? 'cartons'
  let nextX = x + gap
  const doors = weights.map((weight, index) => {
    const wide = Math.round((room * weight) / total)
    const isOpen = index === open
    const left = nextX
    nextX += wide + gap
    return (
      <DoorShape
        key={left}
        x={left}
        ground={GROUND}
        w={wide}
        h={high}
        open={isOpen ? 0.6 : 0}
        inside={wide < 70 ? 'cartons' : inside}
        fill={hasColoredDoors && index % 2 === 1 && !isOpen ? otherColor : DOOR}
      />
    )
  })
  const roofs = [
    `M${x - 8} ${top + 4}v-14h${w + 16}v14z`,
    `M${x - 14} ${top + 4}l34-26h${w - 40}l34 26z`,
    `M${x - 12} ${top + 4}L${x + w / 2} ${top - 34}l${w / 2 + 12} 38z`,
  ]
  return (
    <>
      <rect x={x} y={top} width={w} height={GROUND - top} fill={wall} stroke={OUTLINE} strokeWidth="4" />
      <path d={roofs[low ? 0 : pick(3)]} fill={INSIDE} stroke={OUTLINE} strokeWidth="4" strokeLinejoin="round" />
      {doors}
    </>
  )
}

/** Building of one or more floors: above, windows and a bay with unit doors; below, the entrance and loading docks. */
function House({ x, w, look, wall, pick }: BuildingPlace & { look: FacilityLook }) {
  const { floors, walls } = look
  const ground = floors > 4 ? 50 : floors > 1 ? 60 : 104
  const upper = floors === 1 ? 0 : Math.min(44, Math.floor((166 - ground) / (floors - 1)))
  const top = GROUND - ground - upper * (floors - 1)
  const bay = w > 220 ? 76 : 58
  const bayLeft = pick(2) === 0
  const bayX = bayLeft ? x + 22 : x + w - 22 - bay
  const from = bayLeft ? bayX + bay + 14 : x + 14
  const room = w - bay - 50
  const columns = Math.max(1, Math.round(room / 46))
  const step = room / columns
  const wide = Math.min(30, Math.round(step - 12))
  const tall = upper - (floors > 5 ? 9 : 15)
  const windowTops = Array.from({ length: floors - 1 }, (_, floor) => top + 9 + floor * upper)
  const arch = walls === 'brick' || walls === 'stone'
  const windows = windowTops
    .flatMap((y) =>
      Array.from({ length: columns }, (_, column) => {
        const left = Math.round(from + column * step + (step - wide) / 2)
        return arch
          ? `M${left} ${y + tall}v${4 - tall}q${wide / 2}-8 ${wide} 0v${tall - 4}z`
          : `M${left} ${y}h${wide}v${tall}h${-wide}z`
      }),
    )
    .join('')
  const bars = windowTops
    .flatMap((y) =>
      Array.from({ length: columns }, (_, column) => {
        const middle = Math.round(from + column * step + step / 2)
        return `M${middle} ${y}v${tall}`
      }),
    )
    .join('')
  const dock = Math.min(88, room * 0.5)
  return (
    <>
      <Roof x={x} w={w} top={top} look={look} wall={wall} pick={pick} liftX={bayX} bay={bay} />
      <rect x={x} y={top} width={w} height={GROUND - top} fill={wall} stroke={OUTLINE} strokeWidth="4" />
      {windows && (
        <>
          <path d={windows} fill={GLASS} stroke={OUTLINE} strokeWidth="3" strokeLinejoin="round" />
          <path d={bars} stroke={OUTLINE} strokeWidth="2" />
        </>
      )}
      {floors > 1 && (
        <rect
          x={bayX}
          y={top + 8}
          width={bay}
          height={GROUND - ground - top - 8}
          fill={INSIDE}
          stroke={OUTLINE}
          strokeWidth={4}
        />
      )}
      {windowTops.map((y) => (
        <BayDoors key={y} x={bayX} w={bay} y={y + 4} h={upper - 13} />
      ))}
      <Entrance x={bayX} w={bay} h={Math.min(ground - 8, 58)} />
      <DoorShape
        x={Math.round(from + room * 0.25 - dock / 2)}
        ground={GROUND}
        w={Math.round(dock)}
        h={ground - 12}
        open={0.55}
        inside={ground < 60 ? 'none' : 'cartons'}
      />
      {room > 150 && (
        <DoorShape x={Math.round(from + room * 0.76 - dock / 2)} ground={GROUND} w={Math.round(dock)} h={ground - 12} />
      )}
    </>
  )
}

/** Two roll-up doors behind a window, part of a facility's drawn front. */
function BayDoors({ x, w, y, h }: Place & { y: number; h: number }) {
  const wide = Math.round((w - 18) / 2)
  const doorLefts = [x + 6, x + w - 6 - wide]
  return (
    <>
      <path d={doorLefts.map((left) => `M${left} ${y}h${wide}v${h}h${-wide}z`).join('')} fill={DOOR} />
      <path
        d={doorLefts
          .flatMap((left) => Array.from({ length: Math.floor(h / 7) }, (_, i) => `M${left} ${y + 5 + i * 7}h${wide}`))
          .join('')}
        stroke="var(--color-door-line)"
        strokeWidth="1.500"
      />
      <path d={`M${x} ${y + h + 2}h${w}`} stroke={OUTLINE} strokeWidth="3" />
    </>
  )
}

/** Glass entrance door under an awning, part of a facility's drawn front. */
function Entrance({ x, w, h }: Place & { h: number }) {
  const top = GROUND - h
  const stripe = w / 6
  return (
    <>
      <path d={`M${x + 6} ${GROUND}V${top + 4}h${w - 12}V${GROUND}z`} fill={GLASS} stroke={OUTLINE} strokeWidth="3" />
      <path
        d={`M${x + w / 2} ${GROUND}V${top + 4}M${x + w / 2 - 6} ${GROUND - h / 2 + 4}v8M${x + w / 2 + 6} ${GROUND - h / 2 + 4}v8`}
        stroke={OUTLINE}
        strokeWidth="2.500"
      />
      <path d={`M${x - 2} ${top + 14}l6-14h${w - 8}l6 14z`} fill={DOOR} />
      <path
        d={[1, 3, 5].map((n) => `M${x + n * stripe - stripe / 2} ${top + 14}l2-14h${stripe - 4}l2 14z`).join('')}
        fill="#fff"
      />
      <path
        d={`M${x - 2} ${top + 14}l6-14h${w - 8}l6 14z`}
        fill="none"
        stroke={OUTLINE}
        strokeWidth={3}
        strokeLinejoin="round"
      />
    </>
  )
}

function Roof({
  x,
  w,
  top,
  look,
  wall,
  pick,
  liftX,
  bay,
}: BuildingPlace & { top: number; look: FacilityLook; liftX: number; bay: number }) {
  const line = { stroke: OUTLINE, strokeWidth: 4, strokeLinejoin: 'round' } as const
  const { walls, floors } = look
  const pitched = walls === 'wood' || (floors === 1 && walls !== 'stucco' && walls !== 'concrete')
  if (pitched) {
    const rise = Math.min(44, top - 12)
    return (
      <path d={`M${x - 14} ${top + 2}L${x + w / 2} ${top - rise}l${w / 2 + 14} ${rise + 2}z`} fill={INSIDE} {...line} />
    )
  }
  const tank = walls === 'brick' && floors > 2 && top > 44 && pick(2) === 0
  const stepped = walls === 'stucco' && pick(2) === 0
  return (
    <>
      {look.lift && <rect x={liftX + 8} y={top - 18} width={bay - 16} height="20" fill={wall} {...line} />}
      {tank && (
        <g {...line} strokeWidth={3}>
          <path d={`M${x + w * 0.5} ${top}l4-12h24l4 12`} fill="none" />
          <path d={`M${x + w * 0.5 + 1} ${top - 12}v-18l15-9 15 9v18z`} fill="#b67f4c" />
        </g>
      )}
      {stepped && <path d={`M${x + w * 0.3} ${top}v-12h${w * 0.4}v12z`} fill={wall} {...line} />}
      <rect x={x - 6} y={top - 6} width={w + 12} height="11" fill={walls === 'stucco' ? '#c0664a' : INSIDE} {...line} />
    </>
  )
}

/** Parking with vehicles, under a canopy if the parking is covered, otherwise under a lamp. */
function Lot({ x, w, look, pick }: Place & { look: FacilityLook; pick: Picker }) {
  const isWide = w > 300
  const kinds = look.vehicles.length > 0 ? look.vehicles : (['car'] as const)
  const vehicles = isWide ? [...kinds, ...kinds, ...kinds].slice(0, 3) : pick(2) === 0 ? [kinds.at(-1)!] : [kinds[0]!]
  const bay = w / vehicles.length
  const scale = Math.min(1.2, ...vehicles.map((vehicle) => (bay - 20) / vehicleWidth(vehicle)))
  const beam = 100
  const line = { stroke: OUTLINE, strokeWidth: 4, strokeLinejoin: 'round' } as const
  const posts = Array.from({ length: vehicles.length + 1 }, (_, i) =>
    Math.round(x + 6 + (i * (w - 12)) / vehicles.length),
  )
  return (
    <>
      {look.parking === 'covered' && (
        <>
          <path d={posts.map((postX) => `M${postX} ${GROUND}V${beam}`).join('')} stroke={OUTLINE} strokeWidth="6" />
          <path d={`M${x - 8} ${beam - 2}l10-20h${w - 4}l10 20z`} fill="#dfe5e8" {...line} />
          <path
            d={Array.from({ length: Math.floor(w / 16) }, (_, i) => `M${x + 8 + i * 16} ${beam - 20}v16`).join('')}
            stroke="#a9b4ba"
            strokeWidth="2"
          />
          <rect x={x - 8} y={beam - 4} width={w + 16} height="12" fill={DOOR} {...line} />
        </>
      )}
      {look.parking !== 'covered' && (
        <g {...line} strokeWidth={3}>
          <path d={`M${x + w - 8} ${GROUND}V92h-22`} fill="none" />
          <path d={`M${x + w - 40} 88h16v8h-16z`} fill={DOOR} />
        </g>
      )}
      {vehicles.map((vehicle, index) => (
        <VehicleAt
          // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never reorders
          key={index}
          vehicle={vehicle}
          scale={scale}
          ground={GROUND}
          x={x + bay * (index + 0.5)}
        />
      ))}
    </>
  )
}

const Tree = ({ x, pick }: { x: number; pick: Picker }) => (
  <g stroke={OUTLINE} strokeWidth="3.500" strokeLinejoin="round">
    <path d={`M${x} ${GROUND}v-44`} />
    {pick(2) === 0 ? (
      <path d={`M${x} 96c17 22 19 40 14 62q-14 20-28 0c-5-22-3-40 14-62z`} fill="#6fa68f" />
    ) : (
      <circle cx={x} cy="146" r="25" fill="#8fb58a" />
    )}
  </g>
)

const Fence = () => (
  <>
    <path
      d={Array.from({ length: 33 }, (_, index) => `M${index * 20} 150v${GROUND - 150}`).join('')}
      stroke="var(--color-edge)"
      strokeWidth="2"
    />
    <path d="M0 156h640M0 186h640" stroke="var(--color-edge)" strokeWidth="3" />
  </>
)

/**
 * Divides the width from 36 to 604 between building, row and parking, in this order; null for parts that the facility
 * lacks. A facility with none of them gets a row. A building alone is narrower, since trees are beside it.
 */
function divideWidth({
  indoor,
  driveUp,
  parking,
  floors,
}: FacilityLook): Record<'house' | 'row' | 'lot', Place | null> {
  const rows = driveUp || (!indoor && parking === null)
  const weights = {
    house: indoor ? (floors > 1 ? 5 : 4) : 0,
    row: rows ? 6 : 0,
    lot: parking ? (rows && indoor ? 4 : 5) : 0,
  }
  const parts = (['house', 'row', 'lot'] as const).filter((part) => weights[part] > 0)
  const isAlone = parts.length === 1 && indoor
  const [left, right] = isAlone ? [92, 548] : [36, 604]
  const gap = 14
  const total = parts.reduce((sum, part) => sum + weights[part], 0)
  let x: number = left
  const places: Record<'house' | 'row' | 'lot', Place | null> = { house: null, row: null, lot: null }
  for (const part of parts) {
    const w = Math.round(((right - left - gap * (parts.length - 1)) * weights[part]) / total)
    places[part] = { x, w }
    x += w + gap
  }
  return places
}

function WallPattern({ id, walls, paint }: { id: string; walls: keyof typeof textures; paint: string | undefined }) {
  const texture = textures[walls]
  const { width, height } = texture ?? { width: 8, height: 8 }
  return (
    <pattern id={id} width={width} height={height} patternUnits="userSpaceOnUse">
      <path d={`M0 0h${width}v${height}H0z`} fill={paint} />
      {texture && <path d={texture.d} stroke={INK} strokeOpacity={walls === 'brick' ? 0.22 : 0.14} />}
    </pattern>
  )
}

/**
 * Front of a facility. Pages load it as a file (find-storage/facility-front-svg-files.tsx).
 * @param sheet style sheet with the operator's colors
 */
export function FacilityFront({ seed, look, sheet }: { seed: string; look: FacilityLook; sheet?: string }) {
  const pick = createPicker(seed)
  const { house, row, lot } = divideWidth(look)
  // The records may name no walls. A building of several floors then gets concrete or stucco, any other front metal.
  const walls =
    look.walls ?? (house && look.floors > 1 ? (['concrete', 'stucco'] as const)[pick(2)] : 'metal') ?? 'metal'
  const paint = paints[walls][pick(3)]
  const wall = `url(#wall-${seed})`
  return (
    <svg xmlns="http://www.w3.org/2000/svg" className="art" viewBox="0 0 640 236" aria-hidden="true">
      {sheet && <style>{sheet}</style>}
      <WallPattern id={`wall-${seed}`} walls={walls} paint={paint} />
      <path d="M0 0h640v236H0z" fill="var(--color-wash)" />
      {house && !row && !lot && (
        <>
          <Tree x={46} pick={pick} />
          <Tree x={596} pick={pick} />
        </>
      )}
      {lot && !row && !house && <Fence />}
      {row && <Row {...row} low={house !== null || lot !== null} wall={wall} pick={pick} />}
      {house && <House {...house} look={{ ...look, walls }} wall={wall} pick={pick} />}
      {lot && <Lot {...lot} look={look} pick={pick} />}
      <path d="M0 216h640" stroke={OUTLINE} strokeWidth="5" />
      <path d="M24 228h70M180 228h120M420 228h56M540 228h70" stroke="var(--color-edge)" strokeWidth="3" />
    </svg>
  )
}
