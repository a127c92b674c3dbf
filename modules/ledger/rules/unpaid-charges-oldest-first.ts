/**
 * Decides which charges the payments of a lease cover: the oldest first. By the same rule,
 * `modules/ledger/rules/paid-through.ts` computes the last day paid for.
 */
import type { Cents } from '../../../domain/money.ts'
import { type ChargedPeriod, oldestFirst } from './paid-through.ts'

/** A charged sum with its unpaid part, in cents. */
export interface UnpaidCharge extends ChargedPeriod {
  owed: Cents
}

/**
 * Returns the unpaid part of each charged sum, oldest first; the newest remain unpaid. A balance above all charges, as
 * after a debt was moved from another lease, counts toward the oldest.
 * @param balance balance of the lease in cents, negative for a credit
 */
export function unpaidCharges(charges: readonly ChargedPeriod[], balance: Cents): UnpaidCharge[] {
  let unpaid = Math.max(balance, 0)
  const rows = oldestFirst(charges)
    .reverse()
    .map((charge): UnpaidCharge => {
      const owed = Math.min(unpaid, Math.max(charge.cents, 0))
      unpaid -= owed
      return { ...charge, owed }
    })
    .reverse()
  const [oldest] = rows
  if (oldest) oldest.owed += unpaid
  return rows
}
