/** Splits a lease's balance by age, and computes the part of its charges that is rent paid, or unearned. */

import type { Cents } from '../../../domain/money.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import type { ChargedPeriod } from '../../ledger/rules/paid-through.ts'
import { unpaidCharges } from '../../ledger/rules/unpaid-charges-oldest-first.ts'

/** Age groups by days since the first day of an unpaid charge. */
export const ageLabels = ['0–30 days', '31–60 days', '61–90 days', '91 days and more'] as const
export type Ages = [Cents, Cents, Cents, Cents]

const bucketOf = (days: number): 0 | 1 | 2 | 3 => (days <= 30 ? 0 : days <= 60 ? 1 : days <= 90 ? 2 : 3)

/** A lease's balance by age of its unpaid charges. */
export interface AgedBalance {
  ages: Ages
  /** Credit balance of the lease, in cents, at least 0. */
  credit: Cents
}

/**
 * Splits a balance by age of the unpaid charges: Σ ages − credit = balance. A debt above all charges, as after a refund,
 * has the age of the oldest charge; without any charge it counts as due on `day`.
 */
export function ageBalance(charged: readonly ChargedPeriod[], balance: Cents, day: IsoDate): AgedBalance {
  const ages: Ages = [0, 0, 0, 0]
  if (balance <= 0) return { ages, credit: balance === 0 ? 0 : -balance }
  const owed = unpaidCharges(charged, balance)
  for (const charge of owed) ages[bucketOf(daysBetween(charge.start, day))] += charge.owed
  if (owed.length === 0) ages[0] += balance
  return { ages, credit: 0 }
}

/**
 * Charges of a lease for one period, or its charges of one day without a period, with the part that is rent after
 * discount, in cents.
 */
export interface RentGroup extends ChargedPeriod {
  rent: Cents
}

/**
 * Returns how much of a lease's paid charges was rent, in cents. Money pays the oldest charges first, and rent and the
 * other kinds of charge in proportion.
 */
export function rentPaid(groups: readonly RentGroup[], balance: Cents): Cents {
  const rents = new Map(groups.map((group) => [`${group.start}:${group.end}`, group.rent]))
  return unpaidCharges(groups, balance).reduce((sum, { start, end, cents, owed }) => {
    const rent = rents.get(`${start}:${end}`) ?? 0
    return cents > 0 && rent > 0 ? sum + Math.round((rent * Math.max(cents - owed, 0)) / cents) : sum
  }, 0)
}

/** Returns the unearned share of a period's charges, in cents: the part for days after `day`. */
export function unearnedShare(cents: Cents, start: IsoDate, end: IsoDate, day: IsoDate): Cents {
  const days = daysBetween(start, end) + 1
  const after = Math.min(daysBetween(day, end), days)
  return after <= 0 ? 0 : Math.round((cents * after) / days)
}
