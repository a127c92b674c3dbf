import type { Services } from '../../../platform/operations/services.ts'
import { loadDraftOfOrder } from '../../payments/views/rental-order-lookups.ts'
import { detachDraft } from '../../reservations/draft-sessions.ts'
import { endSignIn, resolveBearerToken } from '../sessions.ts'

/** Ends a session's sign-ins and detaches its rental drafts, so that copies of its cookie no longer open them. */
export async function endAccountSession(
  services: Services,
  session: { token?: string; guestToken?: string; draftId?: string; completedOrderId?: string },
): Promise<void> {
  const { token, guestToken, draftId, completedOrderId } = session
  const { tenant } = await resolveBearerToken(services, token ?? '')
  for (const signInToken of [token, guestToken]) if (signInToken) await endSignIn(services, signInToken)
  if (tenant) services.security.record('sign_in.ended', { account: tenant.accountId })
  const paidDraft = completedOrderId ? await loadDraftOfOrder(services, completedOrderId) : null
  for (const id of [draftId, paidDraft?.draftId]) if (id) await detachDraft(services, id)
}
