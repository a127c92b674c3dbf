import type { Cents } from '../../../domain/money.ts'

/** Returns what to offer: the next month's rent at a balance of zero or less, otherwise the current dues. */
export function prepayOrDues(balance: Cents): 'prepay' | 'dues' {
  return balance <= 0 ? 'prepay' : 'dues'
}
