import { format } from '../../domain/money.ts'

/** Minus sign with a word joiner, since a line could break after it. */
const MINUS = '−\u2060'

/**
 * Formats cents as pages show them: '$1,234.50', a credit '−$139.00'.
 * @param short leaves out '.00'
 */
export function formatCents(cents: number, short = false): string {
  const text = format(cents).replace('-', MINUS)
  return short ? text.replace(/\.00$/, '') : text
}

export function Money({ cents, className = '' }: { cents: number; className?: string }) {
  return <span className={`num ${className}`}>{formatCents(cents)}</span>
}
