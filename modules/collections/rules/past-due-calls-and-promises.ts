/** Past-due list: days and amounts past due, attempted calls, and promises to pay. */

import type { Cents } from '../../../domain/money.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { keysOf } from '../../../domain/typed-keys.ts'

export const callOutcomes = {
  reached: 'Reached',
  'no answer': 'No answer',
  'left message': 'Left a message',
  'wrong number': 'Wrong number',
} as const
export type CallOutcome = keyof typeof callOutcomes
export const callOutcomeNames = keysOf(callOutcomes)

export const pastDueFilters = ['to call', 'all', 'promised', 'broken'] as const
export type PastDueFilter = (typeof pastDueFilters)[number]
export type PastDueOrder = 'days' | 'owed'

/** Maximum number of days until a promised payment. */
export const PROMISE_DAYS = 60

/** Groups of past-due leases by days past due; `maxDays` is the largest number of days in a group. */
const pastDueBuckets = [
  { label: '0–10 d', maxDays: 10 },
  { label: '11–30 d', maxDays: 30 },
  { label: '31–60 d', maxDays: 60 },
  { label: '61–90 d', maxDays: 90 },
  { label: '91+ d', maxDays: Number.POSITIVE_INFINITY },
] as const

/** Returns days past due; 0 for a lease that is paid through today or later, even if it owes fees. */
export const daysPastDue = (paidThrough: IsoDate, today: IsoDate): number =>
  Math.max(0, daysBetween(paidThrough, today))

/** Number of leases of an age group, and the sum that they owe, in cents. */
export interface BucketSum {
  label: string
  leases: number
  owed: Cents
}

/** Groups leases by days past due, with number and sum of each group. */
export function groupByDaysPastDue(leases: readonly { days: number; owed: Cents }[]): BucketSum[] {
  const sums: BucketSum[] = pastDueBuckets.map(({ label }) => ({ label, leases: 0, owed: 0 }))
  for (const { days, owed } of leases) {
    const sum = sums[pastDueBuckets.findIndex(({ maxDays }) => days <= maxDays)]
    if (!sum) continue
    sum.leases += 1
    sum.owed += owed
  }
  return sums
}

export type PromiseState = 'to come' | 'kept' | 'broken'

/**
 * Returns the state of a promise to pay. It can still be kept on its day.
 * @param paid cents paid since the promise, up to its day
 */
export function promiseState(
  promise: { on: IsoDate; cents: Cents },
  { today, paid }: { today: IsoDate; paid: Cents },
): PromiseState {
  if (paid >= promise.cents) return 'kept'
  return promise.on >= today ? 'to come' : 'broken'
}
