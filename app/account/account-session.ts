import { trustBrowser } from '../../modules/accounts/known-browsers.ts'
import { accountHasEmail } from '../../modules/accounts/lock-account.ts'
import { endSignIn, resolveBearerToken } from '../../modules/accounts/sessions.ts'
import { draftOfOrder } from '../../modules/payments/open/open-move-in-payment.ts'
import { detachDraft, draftAfterSignIn } from '../../modules/reservations/draft-sessions.ts'
import type { RequestContext, SessionIds } from '../request/context.ts'

/**
 * Starts the account's session. Ends the browser's earlier sign-ins; of its other session ids only `keep` and a rental
 * draft that the tenant may continue remain.
 * @param token the new sign-in
 * @param keep ids that stay in the session
 */
export async function enterAccount(site: RequestContext, token: string, keep: Partial<SessionIds> = {}): Promise<void> {
  const { services, session } = site
  const { token: oldToken, guestToken, draftId, known: trustedBefore } = session.ids
  for (const signInToken of [oldToken, guestToken]) if (signInToken) await endSignIn(services, signInToken)
  const { tenant } = await resolveBearerToken(services, token)
  const isOwnAddress = async (key: string) => tenant !== undefined && accountHasEmail(services, tenant.accountId, key)
  const keptDraftId = tenant && (keep.draftId ?? (await draftAfterSignIn(services, draftId, tenant, isOwnAddress)))
  session.clear()
  session.set({
    ...keep,
    token,
    ...(keptDraftId && { draftId: keptDraftId }),
    ...(tenant && { known: await trustBrowser(services, trustedBefore, tenant.accountId) }),
  })
}

/** Ends the session's sign-ins and detaches its rental drafts, so that copies of its cookie open nothing. */
export async function leaveAccount(site: RequestContext): Promise<void> {
  const { token, guestToken, draftId, completedOrderId } = site.session.ids
  const { tenant } = await resolveBearerToken(site.services, token ?? '')
  for (const signInToken of [token, guestToken]) if (signInToken) await endSignIn(site.services, signInToken)
  if (tenant) site.services.security.record('sign_in.ended', { account: tenant.accountId })
  const paidDraft = completedOrderId ? await draftOfOrder(site.services, completedOrderId) : null
  for (const id of [draftId, paidDraft?.draftId]) if (id) await detachDraft(site.services, id)
  site.session.clear()
}
