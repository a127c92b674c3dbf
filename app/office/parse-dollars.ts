import { fromWire } from '../../domain/money.ts'

/**
 * Parses a typed amount such as '25' or '$1,250.00'.
 * @returns cents; NaN when the text is not an amount or is a negative one
 */
export function parseDollars(text: string | undefined): number {
  const trimmed = (text ?? '').trim().replace(/^\$\s*/, '')
  const withoutCommas = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed
  return fromWire(withoutCommas) ?? Number.NaN
}

/** Parses a typed amount as `parseDollars` does; 0 instead of NaN. */
export const parseDollarsOrZero = (text: string | undefined): number => parseDollars(text) || 0

/** Returns typed text without spaces around it or a percent sign at its end: '7.5 %' → '7.5'. */
export const withoutPercentSign = (text: string | undefined): string => (text ?? '').trim().replace(/\s*%$/, '')
