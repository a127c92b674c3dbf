import type { Cents } from '../../../domain/money.ts'

/** Returns the payment to offer: periods ahead at a balance of zero or less, otherwise the current dues. */
export function offeredPayment(balance: Cents): 'prepay' | 'dues' {
  return balance <= 0 ? 'prepay' : 'dues'
}
