/**
 * Who uses this browser changes: signing in, from wherever, and logging out. What was in the session before belongs to
 * whoever used the browser before, and a copy of its cookie must lead nowhere afterwards (case 33).
 */

import { rememberBrowser } from '../../modules/accounts/known-browsers.ts'
import { callersOfToken, endSignIn } from '../../modules/accounts/sessions.ts'
import { draftOfOrder } from '../../modules/payments/open/move-in.ts'
import { detachDraft, draftAfterSignIn } from '../../modules/reservations/draft.ts'
import type { RequestContext, SessionIds } from '../request/context.ts'

/**
 * The session is the account's from now on: the token, the browser's mark, and the rental that it may go on with. Guest
 * look-ups, personal links, resets, payments and a sign-in of before are dropped, and ended where they are rows.
 * @param keep what goes on all the same
 */
export async function enterAccount(site: RequestContext, token: string, keep: Partial<SessionIds> = {}): Promise<void> {
  const { services, session } = site
  const { token: before, guestToken, draftId, known } = session.ids
  for (const old of [before, guestToken]) if (old) await endSignIn(services, old)
  const { tenant } = await callersOfToken(services, token)
  const draft = tenant && (keep.draftId ?? (await draftAfterSignIn(services, draftId, tenant)))
  session.clear()
  session.set({
    ...keep,
    token,
    ...(draft && { draftId: draft }),
    ...(tenant && { known: await rememberBrowser(services, known, tenant.accountId) }),
  })
}

/** The sign-ins and the hold on the rentals, the one in progress and the one that was paid for, are dead from now on, wherever their ids may still be. */
export async function leaveAccount(site: RequestContext): Promise<void> {
  const { token, guestToken, draftId, completedOrderId } = site.session.ids
  const { tenant } = await callersOfToken(site.services, token ?? '')
  for (const one of [token, guestToken]) if (one) await endSignIn(site.services, one)
  if (tenant) site.services.security.record('sign_in.ended', { account: tenant.accountId })
  const paid = completedOrderId ? await draftOfOrder(site.services, completedOrderId) : null
  for (const one of [draftId, paid?.draftId]) if (one) await detachDraft(site.services, one)
  site.session.clear()
}
