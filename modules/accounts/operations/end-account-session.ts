import type { Services } from '../../../platform/operations/services.ts'
import { loadDraftOfOrder } from '../../payments/views/lookups-between-drafts-and-orders.ts'
import { detachDraft } from '../../reservations/draft-sessions-across-browsers.ts'
import { endReset } from '../password-reset.ts'
import { endSignIn, resolveBearerToken } from '../sessions.ts'

/**
 * Ends a session's sign-ins and its password reset and detaches its rental drafts, so that copies of its cookie no longer
 * open them.
 */
export async function endAccountSession(
  services: Services,
  session: { token?: string; guestToken?: string; resetId?: string; draftId?: string; completedOrderId?: string },
): Promise<void> {
  const { token, guestToken, resetId, draftId, completedOrderId } = session
  const { tenant } = await resolveBearerToken(services, token ?? '')
  for (const signInToken of [token, guestToken]) if (signInToken) await endSignIn(services, signInToken)
  if (resetId) await endReset(services.db.write, resetId, services.clock.now())
  if (tenant) services.security.record('sign_in.ended', { account: tenant.accountId })
  const paidDraft = completedOrderId ? await loadDraftOfOrder(services, completedOrderId) : null
  for (const id of [draftId, paidDraft?.draftId]) if (id) await detachDraft(services, id)
}
