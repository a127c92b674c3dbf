import type { Cents } from './money.ts'

/** Tax rate in hundredths of a percent: 890 is 8.90 %. */
export type TaxRate = number

/**
 * Returns the tax on an amount, half cents rounded up: `taxOn(13900, 890)` is 1237.
 * @throws RangeError unless both are whole and not negative
 */
export function taxOn(cents: Cents, rate: TaxRate): Cents {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`Not an amount to tax: ${cents}`)
  if (!Number.isSafeInteger(rate) || rate < 0) throw new RangeError(`Not a rate: ${rate}`)
  // Split, so that the product stays exact for the largest amounts.
  const whole = Math.floor(cents / 10_000)
  return whole * rate + Math.floor(((cents % 10_000) * rate + 5_000) / 10_000)
}

/** Formats a tax rate: 890 → '8.9%', 700 → '7%'. */
export function formatRate(rate: TaxRate): string {
  return `${rate / 100}%`
}
