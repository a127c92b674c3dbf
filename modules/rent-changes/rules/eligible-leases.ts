/** Decides for which leases a rent may be changed, to which amount, how soon and how often. */

import type { Cents } from '../../../domain/money.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'
import { changedSince, officeNotFound } from '../../../domain/texts/office-refusals.ts'
import {
  aboveRentCap,
  noNoticeAddress,
  noticeTooShort,
  rentChargedAhead,
  rentUnderWay,
  sameRent,
  tenantMovingOut,
} from '../texts/rent.ts'
import { cappedRent, monthsBetween, NOTICE_DAYS, type RentRule, type RentRules, rentByRule } from './rent-change.ts'

/** Facts about a lease that decide whether its rent may be changed. */
export interface LeaseForRentChange {
  status: string
  rent: Cents
  unit_type_id: number
  move_in_date: IsoDate
  scheduled_move_out: IsoDate | null
  auction_prepped: number
  /** Whether the tenant has an e-mail address, to which the notice of an increase is sent. */
  hasAddress: boolean
  /** Whether a rent change is proposed, approved or scheduled. */
  underWay: boolean
  /** First day of the last applied change's first period; null when no change was applied. */
  lastChange: IsoDate | null
}

/** Reason why a lease's rent cannot be changed. */
export interface RentProblem {
  code: string
  says: string
}

/** Returns why a lease's rent cannot be changed to this amount; null when it can. */
export function rentProblem(
  lease: LeaseForRentChange | undefined,
  { newRent, before, wantedFrom }: { newRent: Cents; before: Cents | null; wantedFrom: IsoDate | null },
  { today, rules }: { today: IsoDate; rules: RentRules },
): RentProblem | null {
  if (!lease || lease.status === 'Closed') return { code: 'not_found', says: officeNotFound }
  if (before !== null && before !== lease.rent) return { code: 'changed', says: changedSince }
  if (newRent === lease.rent) return { code: 'same_rent', says: sameRent }
  if (lease.underWay) return { code: 'under_way', says: rentUnderWay }
  if (lease.lastChange !== null && lease.lastChange > today)
    return { code: 'charged_ahead', says: rentChargedAhead(lease.lastChange) }
  if (lease.scheduled_move_out !== null) return { code: 'moving_out', says: tenantMovingOut }
  if (newRent < lease.rent) return null
  const earliest = addDays(today, NOTICE_DAYS)
  if (wantedFrom !== null && wantedFrom < earliest) return { code: 'under_notice', says: noticeTooShort(earliest) }
  const maxRent = cappedRent(lease.rent, rules)
  if (newRent > maxRent) return { code: 'above_cap', says: aboveRentCap(rules.capPercent, maxRent) }
  return lease.hasAddress ? null : { code: 'no_address', says: noNoticeAddress }
}

/**
 * Returns the new rent, in cents, that a rule gives a lease; null when the rule does not fit the lease or its rent
 * cannot be raised.
 */
export function eligibleRent(
  lease: LeaseForRentChange,
  rule: RentRule,
  context: { rules: RentRules; today: IsoDate; streetRates: ReadonlyMap<number, Cents>; wantedFrom: IsoDate | null },
): Cents | null {
  if (lease.auction_prepped === 1) return null
  if (monthsBetween(lease.lastChange ?? lease.move_in_date, context.today) < rule.months) return null
  const newRent = rentByRule(
    rule,
    { rent: lease.rent, streetRate: context.streetRates.get(lease.unit_type_id) ?? lease.rent },
    context.rules,
  )
  if (newRent === null || rentProblem(lease, { newRent, before: null, wantedFrom: context.wantedFrom }, context))
    return null
  return newRent
}
