import { OUTLINES } from './state-maps/outlines.ts'

/** A dot for each facility. The outlines are 40 kB: only for pages without scripts. An unknown state draws nothing. */
export function StateMap({
  state,
  name,
  facilities = [],
  className = '',
}: {
  state: string
  name: string
  facilities?: { name: string; lat: number; lng: number }[]
  className?: string
}) {
  const outline = OUTLINES[state.toUpperCase()]
  if (!outline) return null
  const [x0, perLng, y0, perLat, d] = outline
  const label = `Map of ${name}${facilities.length ? ` with ${facilities.map((facility) => facility.name).join(', ')}` : ''}`
  return (
    <svg className={`art ${className}`} viewBox="0 0 200 160" role="img" aria-label={label}>
      <path d={d} fill="var(--color-wash)" stroke="var(--color-ink)" strokeWidth="1.500" strokeLinejoin="round" />
      <g fill="var(--color-door)" stroke="var(--color-ink)" strokeWidth="1.500">
        {facilities.map(({ name: key, lat, lng }) => (
          <circle key={key} cx={round(x0 + lng * perLng)} cy={round(y0 - lat * perLat)} r="4.500" />
        ))}
      </g>
    </svg>
  )
}

const round = (n: number) => Math.round(n * 10) / 10
