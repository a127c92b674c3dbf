/** Rent changes: who is to pay what, and from which period (docs/decisions/billing.md). */

import type { Cents } from '../../../domain/money.ts'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { PERIOD_DAYS, periodsBefore } from '../../pricing/rules/charges.ts'

/** The lease promises written notice of an increase this many days ahead. */
export const NOTICE_DAYS = 30

/** The largest rent that is taken for one and not for a slip of the finger. */
export const RENT_MAX: Cents = 1_000_000

export const RENT_BATCH_MAX = 5_000

export interface RentRules {
  /** An increase by more than this many percent at once is refused. */
  capPercent: number
}

export const defaultRentRules: RentRules = { capPercent: 30 }

/** What the rent may become at most. */
export const cappedRent = (rent: Cents, { capPercent }: RentRules): Cents =>
  Math.floor((rent * (100 + capPercent)) / 100)

/** A lease and its rent to come, as a person or a list names it. */
export interface WantedRent {
  location_code: string
  lease_number: number | null
  /** In place of the lease's number. */
  unit_number: string
  new_rent: Cents
  /** What the form showed; null where none did. */
  rent_before: Cents | null
}

/** Increases by rule: whose rent is old enough, by how much, and what bounds it. */
export interface RentRule {
  /** Since the last change; since the move-in where there was none. */
  months: number
  percent: number
  /** The increase in cents at most; null for no bound but the operator's cap. */
  most: Cents | null
  /** Percent of the street rate that the new rent may be at most; null for none. */
  ofStreetRate: number | null
}

/** The rent by a rule, in whole dollars; null where that is no increase. */
export function rentByRule(
  { percent, most, ofStreetRate }: RentRule,
  { rent, streetRate }: { rent: Cents; streetRate: Cents },
  rules: RentRules,
): Cents | null {
  const bounds = [
    Math.floor((rent * (100 + percent)) / 100),
    cappedRent(rent, rules),
    ...(most === null ? [] : [rent + most]),
    ...(ofStreetRate === null ? [] : [Math.floor((streetRate * ofStreetRate) / 100)]),
  ]
  const dollars = Math.floor(Math.min(...bounds, RENT_MAX) / 100) * 100
  return dollars > rent ? dollars : null
}

/** Whole months between two days, as people count them: from March 15 to June 14 it is two. */
export function monthsBetween(from: IsoDate, to: IsoDate): number {
  const [y1, m1, d1] = from.split('-').map(Number) as [number, number, number]
  const [y2, m2, d2] = to.split('-').map(Number) as [number, number, number]
  return (y2 - y1) * 12 + m2 - m1 - (d2 < d1 ? 1 : 0)
}

/** The earliest day from which a rent may apply, where its notice leaves on `noticeOn`. A decrease needs no notice. */
export function notBefore(
  { oldRent, newRent, wantedFrom }: { oldRent: Cents; newRent: Cents; wantedFrom: IsoDate | null },
  noticeOn: IsoDate,
): IsoDate {
  const earliest = newRent > oldRent ? addDays(noticeOn, NOTICE_DAYS) : noticeOn
  return wantedFrom !== null && wantedFrom > earliest ? wantedFrom : earliest
}

/** The first day of the first uncharged period that begins on `day` or later. */
export const firstPeriodFrom = (chargedThrough: IsoDate, day: IsoDate): IsoDate => {
  const next = addDays(chargedThrough, 1)
  return addDays(next, periodsBefore(next, day) * PERIOD_DAYS)
}

/** '+7.8 %' */
export const percentText = (before: Cents, after: Cents): string => {
  const percent = before === 0 ? 100 : ((after - before) * 100) / before
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`
}

export const daysSince = (day: IsoDate, today: IsoDate): number => Math.max(0, daysBetween(day, today))
