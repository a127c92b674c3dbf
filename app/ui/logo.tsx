import { INK, INSIDE } from './illustration-colors.ts'

interface LogoFacts {
  name: string
  picture?: string | undefined
  /** Link target; null for no link. */
  href?: string | null
}

export function Logo({ name, picture, href = '/' }: LogoFacts) {
  const inner = picture ? (
    <img
      className="h-9 w-auto max-w-[min(12rem,45vw)] object-contain object-left"
      src={picture}
      alt={href === null ? name : ''}
    />
  ) : (
    <>
      <svg viewBox="0 0 34 34" aria-hidden="true">
        <rect
          x="1.500"
          y="1.500"
          width="31"
          height="31"
          rx="7"
          fill={INSIDE}
          stroke="var(--color-ink)"
          strokeWidth="3"
        />
        <g className="logo-door">
          <path d="M3 8.500C3 5.500 5.500 3 8.500 3h17C28.500 3 31 5.500 31 8.500V26H3z" fill="var(--color-door)" />
          <path d="M8 9.500h18M8 15h18" stroke={INK} strokeWidth="2.600" />
          <path d="M3 24.500h28" stroke={INK} strokeWidth="3" />
          <circle cx="17" cy="20" r="2.200" fill={INK} />
        </g>
      </svg>
      {name}
    </>
  )
  return href === null ? (
    <span className="logo">{inner}</span>
  ) : (
    <a className="logo" href={href} aria-label={`${name}, home`}>
      {inner}
    </a>
  )
}
