import { INK, INSIDE } from './illustration-colors.ts'

export const DOOR = 'var(--color-door)'
export const EDGE = 'var(--color-door-line)'
const KRAFT = '#d9a066'
const KRAFT_DARK = '#b97f45'

/** Returns the path of a door's slats: horizontal lines every `step` units in a rectangle. */
export function slats(x: number, y: number, w: number, h: number, step: number): string {
  let d = ''
  for (let lineY = y + step; lineY < y + h - 2; lineY += step) d += `M${x} ${lineY}h${w}`
  return d
}

interface DoorFacts {
  x: number
  ground: number
  w: number
  h: number
  /** Opening of the door: 0 closed, 1 rolled up. */
  open?: number
  label?: string
  labelSize?: number
  fill?: string
  inside?: 'cartons' | 'car' | 'sofa' | 'none'
}

function Inside({ x, ground, w, kind }: { x: number; ground: number; w: number; kind: DoorFacts['inside'] }) {
  const line = { stroke: INK, strokeWidth: 2, strokeLinejoin: 'round' } as const
  if (kind === 'car') {
    const k = Math.min(1, (w - 16) / 84)
    return (
      <g transform={`translate(${x + w / 2} ${ground}) scale(${k})`} {...line}>
        <path d="M-34-10v10h13v-10M21-10v10h13v-10" fill={INK} />
        <path d="M-40-8v-18l6-6 8-20h52l8 20 6 6v18z" fill="#7f9fe8" />
        <path d="M-28-33l6-14h44l6 14z" fill="#dbe6ff" />
        <path d="M-34-21h10M24-21h10" stroke="#fff2c9" strokeWidth="6" />
      </g>
    )
  }
  if (kind === 'sofa') {
    const k = Math.min(1, (w - 12) / 88)
    return (
      <g transform={`translate(${x + w / 2} ${ground}) scale(${k})`} {...line}>
        <path d="M-30-18v-30q0-6 6-6h48q6 0 6 6v30z" fill="#6f8fdc" />
        <path d="M-40 0v-28q0-6 6-6t6 6v8h56v-8q0-6 6-6t6 6v28z" fill="#8aa9f2" />
        <path d="M-28-20h56M0-54v34M-28-20v14h56v-14" fill="none" />
      </g>
    )
  }
  if (kind === 'cartons') {
    const s = Math.min(26, (w - 18) / 2)
    const left = x + w / 2 - s
    return (
      <g {...line} fill={KRAFT}>
        <path
          d={`M${left} ${ground}v${-s}h${s}v${s}zM${left + s} ${ground}v${-s}h${s}v${s}zM${left + s / 2} ${ground - s}v${-s * 0.85}h${s}v${s * 0.85}z`}
        />
        <path
          d={`M${left + s / 2} ${ground - s}v${s * 0.3}M${left + s * 1.5} ${ground - s}v${s * 0.3}M${left + s} ${ground - s * 1.85}v${s * 0.3}`}
          stroke={KRAFT_DARK}
          strokeWidth="4"
        />
      </g>
    )
  }
  return null
}

export function DoorShape({
  x,
  ground,
  w,
  h,
  open = 0,
  label,
  labelSize = 20,
  fill = DOOR,
  inside = 'cartons',
}: DoorFacts) {
  const top = ground - h
  // An open door still shows its lower edge; otherwise it looks like a hole in the wall.
  const doorHeight = Math.max(16, Math.round(h * (1 - open)))
  return (
    <g>
      <rect x={x} y={top} width={w} height={h} fill={INSIDE} />
      {open > 0.2 && <Inside x={x} ground={ground} w={w} kind={inside} />}
      <rect x={x} y={top} width={w} height={doorHeight} fill={fill} />
      <path
        d={slats(x, top, w, doorHeight - 7, 15)}
        stroke={fill === DOOR ? EDGE : INK}
        strokeWidth="2"
        strokeOpacity={fill === DOOR ? 1 : 0.25}
      />
      <rect x={x} y={top + doorHeight - 7} width={w} height="7" fill={INK} />
      <path d={`M${x + w / 2 - 9} ${top + doorHeight - 14}h18`} stroke={INK} strokeWidth="4" strokeLinecap="round" />
      <path
        d={`M${x} ${ground}V${top}h${w}V${ground}`}
        fill="none"
        stroke="var(--color-ink)"
        strokeWidth="5"
        strokeLinejoin="round"
      />
      {label && (
        <text
          x={x + w / 2}
          y={top - 12}
          textAnchor="middle"
          fontFamily="var(--font-head)"
          fontWeight="700"
          fontSize={labelSize}
          fill="var(--color-ink)"
        >
          {label}
        </text>
      )}
    </g>
  )
}

export function Door({ open = 0.35, inside = 'cartons' }: { open?: number; inside?: DoorFacts['inside'] }) {
  return (
    <svg className="art" viewBox="0 0 120 130" aria-hidden="true">
      <DoorShape x={8} ground={124} w={104} h={116} open={open} inside={inside} />
      <path d="M0 126.500h120" stroke="var(--color-ink)" strokeWidth="5" />
    </svg>
  )
}

/** Animation of a unit's door that rolls up, for a completed rental. */
export function OpeningDoorAnimation() {
  return (
    <svg className="opens" viewBox="0 0 800 180" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <rect width="800" height="180" fill={INSIDE} />
      <path d="M0 168h800v12H0z" fill="#39424a" />
      <path d="M120 168V20M680 168V20" stroke="#39424a" strokeWidth="6" />
      {(
        [
          [190, 1.7, 'cartons'],
          [288, 1.25, 'cartons'],
          [424, 1.6, 'sofa'],
          [600, 1.75, 'car'],
        ] as const
      ).map(([x, scale, kind]) => (
        <g key={x} transform={`translate(${x} 170) scale(${scale})`}>
          <Inside x={-60} ground={0} w={120} kind={kind} />
        </g>
      ))}
      <g className="opens-door">
        <rect width="800" height="180" fill="var(--color-door)" />
        <path d={slats(0, 0, 800, 170, 24)} stroke={EDGE} strokeWidth="3" />
        <rect y="168" width="800" height="12" fill={INK} />
        <path d="M380 154h40" stroke={INK} strokeWidth="7" strokeLinecap="round" />
      </g>
    </svg>
  )
}
