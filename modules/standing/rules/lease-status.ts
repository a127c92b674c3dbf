import type { OpenLeaseStatus } from '../../../domain/lease-status.ts'
import type { Cents } from '../../../domain/money.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import { paymentBlock } from '../../payments/rules/online-payment-blocks.ts'
import { PERIOD_DAYS } from '../../pricing/rules/fixed-billing-period-length.ts'
import { isOverlocked } from './overlock-day.ts'

/**
 * Returns the status of an open lease.
 * @param lease paidThrough is the last day paid for; balance in cents, above 0 is owed
 */
export function leaseStatus(
  lease: { auctionPrepped: boolean; balance: Cents; paidThrough: IsoDate },
  today: IsoDate,
): OpenLeaseStatus {
  if (lease.auctionPrepped) return 'Auction'
  if (lease.balance > 0) return 'Past Due'
  return daysBetween(today, lease.paidThrough) >= PERIOD_DAYS ? 'Pre-Paid' : 'Current'
}

/**
 * Returns whether autopay will still charge the amount due of a lease.
 * @param lease autopayToCome: autopay has an attempt left
 */
export const willAutopayCharge = (
  lease: { autopayToCome: boolean; auctionPrepped: boolean; paidThrough: IsoDate },
  today: IsoDate,
): boolean => lease.autopayToCome && paymentBlock(lease, today) === null

/** Status, auction flag and overlock of a lease. */
export interface Standing {
  status: OpenLeaseStatus
  auctionPrepped: boolean
  overlocked: boolean
  /** Whether autopay will still charge the amount due. While it will, the lease gets no late fee and no overlock. */
  charging: boolean
}

/**
 * Computes a lease's status, auction flag and overlock. Without a balance due, the auction flag is cleared. Active
 * military duty clears it too, since enforcing a service member's storage lien needs a court order (50 U.S.C. § 3958).
 * @param lease balance in cents, above 0 is owed; autopayToCome: autopay has an attempt left
 * @param auctionAfterDays days past paid-through after which the flag is set; null never sets it
 */
export function computeStanding(
  lease: {
    auctionPrepped: boolean
    activeMilitary: boolean
    balance: Cents
    paidThrough: IsoDate
    autopayToCome: boolean
  },
  today: IsoDate,
  auctionAfterDays: number | null,
): Standing {
  const owes = lease.balance > 0
  const age = daysBetween(lease.paidThrough, today)
  const auctionPrepped =
    owes && !lease.activeMilitary && (lease.auctionPrepped || (auctionAfterDays !== null && age > auctionAfterDays))
  const charging = willAutopayCharge({ ...lease, auctionPrepped }, today)
  return {
    status: leaseStatus({ auctionPrepped, balance: lease.balance, paidThrough: lease.paidThrough }, today),
    auctionPrepped,
    overlocked: isOverlocked({ owes, charging, auctionPrepped, paidThrough: lease.paidThrough }, today),
    charging,
  }
}
