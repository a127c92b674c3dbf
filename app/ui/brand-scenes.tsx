/** Larger drawings of the public pages, apart from the single door so that no page with scripts fetches them. */
import { DOOR, DoorAt, INSIDE } from './brand.tsx'

export function DoorRow() {
  return (
    <svg
      className="art"
      viewBox="0 0 560 380"
      role="img"
      aria-label="Four roll-up doors in rising sizes: 5×5, 5×10, 10×10 and 10×20."
    >
      <DoorAt x={6} ground={372} w={86} h={150} label="5×5" labelSize={26} />
      <DoorAt x={112} ground={372} w={104} h={206} open={0.42} label="5×10" labelSize={26} />
      <DoorAt x={236} ground={372} w={142} h={262} open={0.34} inside="sofa" label="10×10" labelSize={26} />
      <DoorAt x={398} ground={372} w={156} h={326} open={0.3} inside="car" label="10×20" labelSize={26} />
      <path d="M0 375h560" stroke="var(--color-ink)" strokeWidth="6" />
    </svg>
  )
}

/** FNV-1a: the same facility always draws the same front. */
function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}

/** The drawn front of a facility without a photo. Pages show it as a file (find-storage/fronts.tsx), whose colours are `sheet`. */
export function FacilityFront({ seed, sheet }: { seed: string; sheet?: string }) {
  let state = hash(seed) || 1
  const pick = (n: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return (state >>> 8) % n
  }
  const roof = pick(4)
  const count = 3 + pick(3)
  const walls = ['#efe6d2', '#e4e6e0', '#f0ddc8', '#dfe5e8'][pick(4)]
  const other = ['#8fb5a5', '#c9d0d3', '#d98f6c', '#9db4d6'][pick(4)] as string
  const openDoor = pick(count)
  const solo = pick(2)
  const kinds = ['cartons', 'car', 'sofa'] as const
  const inside = kinds[pick(3)] ?? 'cartons'
  const weights = Array.from({ length: count }, () => 3 + pick(3))
  const total = weights.reduce((a, b) => a + b, 0)
  const gap = 18
  const room = 560 - gap * (count + 1)
  let x = 40 + gap
  const doors = weights.map((weight, index) => {
    const w = Math.round((room * weight) / total)
    const door = (
      <DoorAt
        // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never reorders
        key={index}
        x={x}
        ground={212}
        w={w}
        h={104}
        open={index === openDoor ? 0.62 : 0}
        inside={w < 84 ? 'cartons' : inside}
        fill={solo && index % 2 === 1 && index !== openDoor ? other : DOOR}
      />
    )
    x += w + gap
    return door
  })
  const ink = 'var(--color-ink)'
  const roofs = [
    'M34 86h572V70H34z',
    'M24 86l50-34h492l50 34z',
    'M34 86V64h190V40h192v24h190v22z',
    'M34 86L320 30l286 56z',
  ]
  return (
    <svg xmlns="http://www.w3.org/2000/svg" className="art" viewBox="0 0 640 236" aria-hidden="true">
      {sheet && <style>{sheet}</style>}
      <rect width="640" height="236" fill="var(--color-wash)" />
      <rect x="40" y="80" width="560" height="134" fill={walls} stroke={ink} strokeWidth="4" />
      <path d={roofs[roof]} fill={INSIDE} stroke={ink} strokeWidth="4" strokeLinejoin="round" />
      {doors}
      {pick(2) === 0 ? (
        <g stroke={ink} strokeWidth="3.500" strokeLinejoin="round">
          <path d="M617 214v-44" />
          <path d="M617 96c17 22 19 40 14 62q-14 20-28 0c-5-22-3-40 14-62z" fill="#6fa68f" />
        </g>
      ) : (
        <g stroke={ink} strokeWidth="3.500" strokeLinejoin="round" fill="none">
          <path d="M620 214V112q0-14-14-14h-6" />
          <path d="M590 98h18l-4 10h-10z" fill={DOOR} />
        </g>
      )}
      <path d="M0 216h640" stroke={ink} strokeWidth="5" />
      <path d="M24 228h70M180 228h120M420 228h56M540 228h70" stroke="var(--color-edge)" strokeWidth="3" />
    </svg>
  )
}
