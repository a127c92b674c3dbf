import { format } from '../../domain/money.ts'

/** A line may end after a minus; joined to what follows, it does not. */
export const MINUS = '−\u2060'

/** Whole cents as they stand on a page: '$1,234.50', a credit as '−$139.00'; `short` leaves out '.00'. */
export function formatCents(cents: number, short = false): string {
  const text = format(cents).replace('-', MINUS)
  return short ? text.replace(/\.00$/, '') : text
}

export function Money({ cents, className = '' }: { cents: number; className?: string }) {
  return <span className={`num ${className}`}>{formatCents(cents)}</span>
}
