/** Balance, charged periods and paid-through date of a lease, computed from its ledger entries. */

import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import { type ChargedPeriod, computePaidThrough, oldestFirst } from './paid-through.ts'
import { type UnpaidCharge, unpaidCharges } from './unpaid-charges-oldest-first.ts'

/** Fields of a ledger entry on which balance and periods depend. */
export interface Entry {
  kind: 'rent' | 'insurance' | 'fee' | 'tax' | 'discount' | 'payment' | 'refund' | 'credit' | 'reversal'
  cents: Cents
  /** First day of the entry's period; without a period, the day for which the entry counts, or null for `postedOn`. */
  periodStart: IsoDate | null
  /** Last day of the entry's period; null when it belongs to no period. */
  periodEnd: IsoDate | null
  postedOn: IsoDate
}

/** Kinds of entries that are charges, discounts included. */
export const chargeKinds = ['rent', 'insurance', 'fee', 'tax', 'discount'] as const satisfies Entry['kind'][]

const isCharge = (entry: Entry) => isOneOf(chargeKinds, entry.kind)

/** Returns the balance, the sum of all entries, in cents. A negative balance is a credit. */
export const balance = (entries: readonly Pick<Entry, 'cents'>[]): Cents =>
  entries.reduce((sum, entry) => sum + entry.cents, 0)

/**
 * Rent entries of one period: their sum and the smallest of them, in cents; both null when the period has no rent
 * entry.
 */
interface PeriodRent {
  sum: Cents | null
  least: Cents | null
}

/**
 * Returns whether a period's charge was reversed. A reversal leaves a negative rent entry; a rent-free period has none.
 */
export const isChargeReversed = ({ sum, least }: PeriodRent): boolean => sum === 0 && least !== null && least < 0

/**
 * Returns the sum charged for each period, and for each day's single charges. Oldest first; on one day the period comes
 * first. Leaves out periods whose charge was reversed.
 */
export function chargesByPeriod(entries: readonly Entry[]): ChargedPeriod[] {
  const sums = new Map<string, ChargedPeriod>()
  const rents = new Map<string, { sum: Cents; least: Cents }>()
  for (const entry of entries) {
    if (!isCharge(entry)) continue
    const start = entry.periodStart ?? entry.postedOn
    const key = `${start}:${entry.periodEnd}`
    if (entry.kind === 'rent' && entry.periodEnd !== null) {
      const rent = rents.get(key)
      rents.set(key, {
        sum: (rent?.sum ?? 0) + entry.cents,
        least: Math.min(rent?.least ?? entry.cents, entry.cents),
      })
    }
    const periodSum = sums.get(key)
    if (periodSum) periodSum.cents += entry.cents
    else sums.set(key, { start, end: entry.periodEnd, cents: entry.cents })
  }
  for (const [key, rent] of rents) if (isChargeReversed(rent)) sums.delete(key)
  return oldestFirst([...sums.values()])
}

/**
 * Returns the last day of the newest period that the payments cover, the oldest charges being paid first; the day before
 * the oldest period when they cover none; null when no period was charged.
 */
export const paidThroughOf = (entries: readonly Entry[]): IsoDate | null =>
  computePaidThrough(chargesByPeriod(entries), balance(entries))

/**
 * Returns the unpaid part of each period and of each day's single charges, oldest first. A balance above all charges,
 * as after a debt was moved from another lease, counts toward the oldest.
 */
export const unpaidByPeriod = (entries: readonly Entry[]): UnpaidCharge[] =>
  unpaidCharges(chargesByPeriod(entries), balance(entries))
