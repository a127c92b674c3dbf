import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { type AutopayColumns, hasAutopayTryLeft } from '../leases/autopay-mandate.ts'
import { computeStanding, type Standing } from './rules/lease-status.ts'

/**
 * Computes a lease's status, auction flag and overlock from its stored columns and `facts`.
 * @param facts balance in cents, above 0 is owed; paidThrough is the last day paid for
 * @param auctionAfterDays days past paid-through after which the auction flag is set; null never sets it
 */
export const leaseStanding = (
  lease: AutopayColumns & { auction_prepped: 0 | 1 },
  facts: { activeMilitary: boolean; balance: Cents; paidThrough: IsoDate },
  today: IsoDate,
  auctionAfterDays: number | null,
): Standing =>
  computeStanding(
    {
      ...facts,
      auctionPrepped: lease.auction_prepped === 1,
      autopayToCome: hasAutopayTryLeft(lease, facts.paidThrough),
    },
    today,
    auctionAfterDays,
  )
