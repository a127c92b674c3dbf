import { fromWire } from '../../domain/money.ts'

/**
 * Parses a typed amount such as '25' or '$1,250.00'.
 * @returns cents; NaN for no amount, which the operation refuses with a sentence
 */
export function parseDollars(text: string | undefined): number {
  const plain = (text ?? '').trim().replace(/^\$\s*/, '')
  const bare = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain) ? plain.replaceAll(',', '') : plain
  return fromWire(bare) ?? Number.NaN
}
