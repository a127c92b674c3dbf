/** Whole cents as '$1,234.50'; a credit as '−$139.00'. `short` leaves out '.00'. */
export function formatCents(cents: number, short = false): string {
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = Math.abs(cents) % 100
  const digits = String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '−' : ''}$${digits}${short && rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
}

/** An amount in tabular figures that never breaks. */
export function Money({ cents, short, className = '' }: { cents: number; short?: boolean; className?: string }) {
  return <span className={`num ${className}`}>{formatCents(cents, short)}</span>
}
