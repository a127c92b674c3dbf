import { draftOfOrder } from '../../modules/payments/views/rental-order-lookups.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import { loadDraftOfSession } from '../open-journey-step.ts'
import type { RequestContext } from '../request/context.ts'

/**
 * Returns the draft whose lease this session signed; null without one. After the rental is completed, the draft is
 * found by the session's completed order.
 */
export async function loadSignedDraft(site: RequestContext): Promise<Draft | null> {
  const { completedOrderId } = site.session.ids
  return (await loadDraftOfSession(site)) ?? (completedOrderId ? draftOfOrder(site.services, completedOrderId) : null)
}
