export type Cents = number

/** Maximum amount that `fromWire` accepts, ten billion dollars, which keeps sums exact. */
const MAX_CENTS = 1_000_000_000_000

function split(cents: Cents): { sign: string; dollars: string; rest: string } {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not a whole number of cents: ${cents}`)
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return { sign: cents < 0 ? '-' : '', dollars: digits.slice(0, -2), rest: digits.slice(-2) }
}

/**
 * Formats cents as dollars: 123450 → '$1,234.50', -500 → '-$5.00'.
 * @throws RangeError for a fraction of a cent
 */
export function format(cents: Cents): string {
  const { sign, dollars, rest } = split(cents)
  return `${sign}$${dollars.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}

/**
 * Formats cents for the wire with two decimals (spec 1 §9): 13900 → '139.00'.
 * @throws RangeError for a fraction of a cent
 */
export function toWire(cents: Cents): string {
  const { sign, dollars, rest } = split(cents)
  return `${sign}${dollars}.${rest}`
}

/**
 * Parses an amount to cents: '139.00', '139' or 139 → 13900. Returns null for fractions of a cent, more than 1e12
 * cents, an amount below 0 unless `negative` is true, and anything else.
 */
export function fromWire(value: unknown, { negative = false } = {}): Cents | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(String(value).trim())
  if (!match) return null
  const size = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  if (size > MAX_CENTS) return null
  if (size === 0) return 0
  if (match[1] === '-') return negative ? -size : null
  return size
}
