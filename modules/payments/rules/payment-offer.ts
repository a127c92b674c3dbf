import type { Cents } from '../../../domain/money.ts'

/** Returns what to offer: the next month's rent at a balance of zero or less, otherwise the current dues. */
export function prepayOrDues(balance: Cents): 'prepay' | 'dues' {
  return balance <= 0 ? 'prepay' : 'dues'
}

/**
 * Returns whether a unit number has only digits. Others (parking spaces, for example) get the prompt 'Enable Autopay?'.
 */
export function isNumericUnit(unitNumber: string): boolean {
  return /^\d+$/.test(unitNumber)
}
