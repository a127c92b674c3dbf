/**
 * Rules of rent changes: caps, notice and first period (docs/decisions/billing.md). `eligible-leases.ts` decides for
 * which leases a rent may be changed.
 */

import type { Cents } from '../../../domain/money.ts'
import { hasFields, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { addDays, daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { periodsBefore } from '../../pricing/rules/charges.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'

/** Days of written notice that the lease promises before a change of rent, fees or terms. */
export const NOTICE_DAYS = 30

/** Maximum rent in cents; a higher amount is taken for a typing error. */
export const RENT_MAX: Cents = 1_000_000

/** Maximum number of leases whose rents are proposed together. */
export const RENT_BATCH_MAX = 5_000

/** Maximum number of facilities in one export of current rents. */
export const MAX_EXPORTED_FACILITIES = 60

/** The operator's limits of rent increases. */
export interface RentRules {
  /** Largest increase at once, in percent. */
  capPercent: number
}

export const defaultRentRules: RentRules = { capPercent: 30 }

/** Parses the setting `rent_rules`; defaults when it was never set. */
export function parseRentRules(setting: string | null): RentRules {
  if (setting === null) return defaultRentRules
  const { capPercent } = parseJson(setting, hasFields<Partial<RentRules>>())
  return { capPercent: capPercent ?? defaultRentRules.capPercent }
}

/** Returns the maximum new rent under the operator's cap, in cents. */
export const cappedRent = (rent: Cents, { capPercent }: RentRules): Cents =>
  Math.floor((rent * (100 + capPercent)) / 100)

/**
 * Returns whether an open rent change still fits its lease: the rent is the one that the change began from, and the
 * tenant is not leaving.
 */
export const rentChangeFits = (
  change: { old_rent: Cents },
  lease: { rent: Cents; status: string; scheduled_move_out: IsoDate | null },
): boolean => lease.rent === change.old_rent && lease.status !== 'Closed' && lease.scheduled_move_out === null

/** A requested new rent, from a form or a list. */
export interface WantedRent {
  location_code: string
  lease_number: number | null
  /** Unit number that names the lease when `lease_number` is null. */
  unit_number: string
  new_rent: Cents
  /** Rent that the form displayed; null for a list without it. */
  rent_before: Cents | null
}

/** Rule that proposes increases: minimum age of the rent, percentage and upper bounds. */
export interface RentRule {
  /** Minimum number of months since the last change, or since move-in. */
  months: number
  percent: number
  /** Maximum increase in cents; null for none besides the operator's cap. */
  most: Cents | null
  /** Maximum new rent in percent of the street rate; null for none. */
  ofStreetRate: number | null
}

/** Returns the new rent under a rule, in cents, rounded down to whole dollars; null when it would be no increase. */
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

/** Returns the number of whole months between two days: two from March 15 to June 14. */
export function monthsBetween(from: IsoDate, to: IsoDate): number {
  const [y1 = 0, m1 = 0, d1 = 0] = from.split('-').map(Number)
  const [y2 = 0, m2 = 0, d2 = 0] = to.split('-').map(Number)
  return (y2 - y1) * 12 + m2 - m1 - (d2 < d1 ? 1 : 0)
}

/**
 * Returns the earliest day from which a new rent may apply when its notice is sent on `noticeOn`. A decrease needs no
 * notice.
 */
export function earliestRentDay(
  { oldRent, newRent, wantedFrom }: { oldRent: Cents; newRent: Cents; wantedFrom: IsoDate | null },
  noticeOn: IsoDate,
): IsoDate {
  const earliest = newRent > oldRent ? addDays(noticeOn, NOTICE_DAYS) : noticeOn
  return wantedFrom !== null && wantedFrom > earliest ? wantedFrom : earliest
}

/** Returns the first day of the first uncharged period that begins on `day` or later. */
export const firstPeriodFrom = (chargedThrough: IsoDate, day: IsoDate): IsoDate => {
  const next = addDays(chargedThrough, 1)
  return addDays(next, periodsBefore(next, day) * PERIOD_DAYS)
}

/** Formats the change between two rents, such as '+7.8 %'. */
export const formatRentChange = (before: Cents, after: Cents): string => {
  const percent = before === 0 ? 100 : ((after - before) * 100) / before
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`
}

/** Returns the number of days since a day; 0 for a day that is still to come. */
export const daysSince = (day: IsoDate, today: IsoDate): number => Math.max(0, daysBetween(day, today))
