/**
 * Decides which charges the payments of a lease cover: the oldest first. `billing/rules/paid-through.ts` computes the
 * last day paid for by the same rule.
 */
import type { Cents } from '../../../domain/money.ts'
import type { ChargedPeriod } from '../../billing/rules/paid-through.ts'

/** A charged sum with its unpaid part, in cents. */
export interface UnpaidCharge extends ChargedPeriod {
  owed: Cents
}

/**
 * Returns the unpaid part of each charged sum, oldest first; the newest remain unpaid.
 * @param owes balance in cents
 */
export function unpaidCharges(all: readonly ChargedPeriod[], owes: Cents): UnpaidCharge[] {
  let unpaid = Math.max(owes, 0)
  const rows = inOrder(all)
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

/** Sorts charges, oldest first; on one day the period comes before single charges. */
export const inOrder = (all: readonly ChargedPeriod[]): ChargedPeriod[] =>
  [...all].sort((a, b) => (a.start === b.start ? (a.end === null ? 1 : -1) : a.start < b.start ? -1 : 1))
