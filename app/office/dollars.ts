import { fromWire } from '../../domain/money.ts'

/** '25', '$1,250.00' in cents; NaN for what is no amount, which the operation refuses in words. */
export function dollarsTyped(text: string | undefined): number {
  const plain = (text ?? '').trim().replace(/^\$\s*/, '')
  const bare = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain) ? plain.replaceAll(',', '') : plain
  return fromWire(bare) ?? Number.NaN
}
