import { OUTLINES } from './state-outlines/outlines.ts'

/** Map of a state; nothing for an unknown state. It is for pages without scripts, since the outlines take about 30 kB. */
export function StateOutline({ state, name, className = '' }: { state: string; name: string; className?: string }) {
  const outline = OUTLINES[state.toUpperCase()]
  if (!outline) return null
  return (
    <svg className={`art ${className}`} viewBox="0 0 200 160" role="img" aria-label={`Map of ${name}`}>
      <path
        d={outline[4]}
        fill="var(--color-wash)"
        stroke="var(--color-ink)"
        strokeWidth="1.500"
        strokeLinejoin="round"
      />
    </svg>
  )
}
