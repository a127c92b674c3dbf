/** Reads the orders of a rental for its pages. */
import type { Services } from '../../../platform/operations/services.ts'
import { loadDraftOfSession } from '../../reservations/draft-sessions-across-browsers.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { loadPayment } from '../payment.ts'
import { findPendingOrder } from '../payment-orders.ts'

/**
 * Loads the draft that an order pays for; null for an order without a draft, and after the session of the browser that
 * began the draft has ended. The caller checks whose draft it is.
 */
export async function loadDraftOfOrder(services: Services, orderId: string): Promise<Draft | null> {
  const payment = await loadPayment(services, orderId)
  return payment?.draft_id ? loadDraftOfSession(services, payment.draft_id) : null
}

/** Returns the id of the quote that the renter last agreed to by pressing 'Pay'; null before. */
export async function loadAgreedQuoteId(services: Services, draft: Draft): Promise<string | null> {
  const last = await services.db.read
    .selectFrom('payments')
    .select('quote_id')
    .where('draft_id', '=', draft.draftId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.quote_id ?? null
}

/** Returns the id of the draft's order that is captured or in review; null without one. */
export async function findCapturedOrder(services: Services, draft: Draft): Promise<string | null> {
  const order = await findPendingOrder(services, { draftId: draft.draftId })
  return order?.order_id ?? null
}
