/**
 * Computes how a drawer's count differs from its receipts. There is no tolerance: any difference needs a reason
 * (`../operations/close-drawer.ts`).
 */
import { type Cents, format } from '../../../domain/money.ts'
import { type CentsByMethod, counterMethods } from './counter-receipt-methods-and-states.ts'

/** Returns the counted amount less the receipts' amount, by method. */
export const differenceOf = (counted: CentsByMethod, system: CentsByMethod): CentsByMethod => ({
  check: counted.check - system.check,
  cash: counted.cash - system.cash,
  money_order: counted.money_order - system.money_order,
})

/** Returns whether the counted amount of any payment method differs from the receipts' amount. */
export const differs = (difference: CentsByMethod): boolean => counterMethods.some((method) => difference[method] !== 0)

/** Error code of a count with an unexplained difference. Its message states the difference. */
export const COUNT_DIFFERS = 'count_differs'

/** Formats a difference: '+$2.00', '-$2.00' or '$0.00'. */
export const formatDifference = (cents: Cents): string => `${cents > 0 ? '+' : ''}${format(cents)}`
