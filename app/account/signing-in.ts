/**
 * Who uses this browser changes: signing in, from wherever, and logging out. What was in the session before belongs to
 * whoever used the browser before, and a copy of its cookie must lead nowhere afterwards (case 33).
 */

import { withMark } from '../../modules/accounts/known-browsers.ts'
import { callersOfToken, endSignIn } from '../../modules/accounts/sessions.ts'
import { draftAfterSignIn, draftOfOrder, leaveDraft } from '../../modules/reservations/draft.ts'
import type { RequestContext, SessionIds } from '../request/context.ts'

/**
 * The session is the account's from now on: the token, the browser's mark, and the rental that it may go on with. Guest
 * look-ups, personal links, resets, payments and a sign-in of before are dropped, and ended where they are rows.
 * @param keep what goes on all the same
 */
export async function enterAccount(site: RequestContext, token: string, keep: Partial<SessionIds> = {}): Promise<void> {
  const { house, session } = site
  const { token: before, guestToken, draftId, known } = session.ids
  for (const old of [before, guestToken]) if (old) await endSignIn(house, old)
  const { tenant } = await callersOfToken(house, token)
  const draft = tenant && (keep.draftId ?? (await draftAfterSignIn(house, draftId, tenant)))
  session.clear()
  session.set({
    ...keep,
    token,
    ...(draft && { draftId: draft }),
    ...(tenant && { known: await withMark(house, known, tenant.accountId) }),
  })
}

/** The sign-ins and the hold on the rentals, the one in progress and the one that was paid for, are dead from now on, wherever their ids may still be. */
export async function leaveAccount(site: RequestContext): Promise<void> {
  const { token, guestToken, draftId, completedOrderId } = site.session.ids
  const { tenant } = await callersOfToken(site.house, token ?? '')
  for (const one of [token, guestToken]) if (one) await endSignIn(site.house, one)
  if (tenant) site.house.security.record('sign_in.ended', { account: tenant.accountId })
  const paid = completedOrderId ? await draftOfOrder(site.house, completedOrderId) : null
  for (const one of [draftId, paid?.draftId]) if (one) await leaveDraft(site.house, one)
  site.session.clear()
}
