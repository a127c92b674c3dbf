/** Plan and link of payments by a personal link, for the payers `auction` and `settlement`. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../../../domain/money.ts'
import type { Services } from '../../../../platform/operations/services.ts'
import type { Tables } from '../../../../platform/schema/tables.ts'
import { type LinkKind, markLinkPaid } from '../../../links/auction-and-settlement-link-records.ts'
import { type Payment, PostingRejected } from '../../payment.ts'

export interface LinkPlan {
  uuid: string
  unitNumber: string
  facilityName: string
  /** Name of the auction winner or, for a settlement, of the tenant. */
  name: string
  cents: Cents
  /** Whether the money is the auction's rather than the tenant's (spec 2 §3 "Card payment record"). */
  auctionProceeds: boolean
}

/**
 * Marks a payment's link as paid by this payment.
 * @returns the link
 * @throws PostingRejected where the link was paid already, was withdrawn or does not exist
 */
export async function markPayersLinkPaid<Kind extends LinkKind>(
  tx: Kysely<Tables>,
  services: Services,
  kind: Kind,
  payment: Payment,
) {
  const paid = { orderId: payment.order_id, at: services.clock.now() }
  const result = await markLinkPaid(tx, kind, payment.link_uuid ?? '', paid)
  if (result.ok) return result.link
  throw new PostingRejected(result.state === 'withdrawn' ? 'link_withdrawn' : 'already_paid')
}
