import { loadDraftOfOrder } from '../../modules/payments/views/lookups-between-drafts-and-orders.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import { loadDraftOfSession } from '../open-journey-step.ts'
import type { RequestContext } from '../request/context.ts'

/**
 * Loads the session's draft, or without one the draft of the session's completed order; null without either. The draft
 * need not be signed.
 */
export async function loadDraftOrCompletedRental(site: RequestContext): Promise<Draft | null> {
  const { completedOrderId } = site.session.ids
  return (
    (await loadDraftOfSession(site)) ?? (completedOrderId ? loadDraftOfOrder(site.services, completedOrderId) : null)
  )
}
