/** Payment by a personal link: what an auction winner's and a settlement payer's have in common. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type LinkKind, markLinkPaid } from '../../links/payment-links.ts'
import { type Payment, PostingRejected } from '../payment.ts'

export interface LinkPlan {
  uuid: string
  unitNumber: string
  facilityName: string
  name: string
  cents: Cents
  /** Whether the money is the auction's rather than the tenant's; '1' on the wire (spec 2 §3 "Card payment record"). */
  auctionProceeds: boolean
}

/** Returns the amount that was paid, in cents. */
export const paidCents = (payment: Payment) => payment.approved_amount ?? payment.amount

/**
 * Marks the payment's link as paid by it.
 * @throws PostingRejected where the link was paid already or withdrawn
 */
export async function markPaid<Kind extends LinkKind>(
  tx: Kysely<Tables>,
  services: Services,
  kind: Kind,
  payment: Payment,
) {
  const paid = { orderId: payment.order_id, at: services.clock.now() }
  const marked = await markLinkPaid(tx, kind, payment.link_uuid ?? '', paid)
  if (marked.ok) return marked.link
  throw new PostingRejected(marked.state === 'withdrawn' ? 'link_withdrawn' : 'already_paid')
}
