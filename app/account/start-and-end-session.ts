import { carrySessionIntoAccount } from '../../modules/accounts/operations/carry-session-into-account.ts'
import { endAccountSession } from '../../modules/accounts/operations/end-account-session.ts'
import type { TenantCaller } from '../../platform/operations/callers.ts'
import type { RequestContext, SessionIds } from '../request/context.ts'

/**
 * Starts the account's session. Ends the browser's earlier sign-ins; of its other session ids only `keep`, a rental
 * draft that the tenant may continue, and the marks of a trusted browser (`known`) remain.
 * @param token token of the new sign-in
 * @param keep ids that stay in the session
 * @returns the account's tenants; none for a token that has ended
 */
export async function enterAccount(
  { services, session }: RequestContext,
  token: string,
  keep: Pick<SessionIds, 'draftId'> = {},
): Promise<TenantCaller['tenants']> {
  const { tenants, ids } = await carrySessionIntoAccount(services, session.ids, token, keep.draftId)
  session.clear()
  session.set({ ...keep, token, ...ids })
  return tenants
}

/**
 * Ends the session's sign-ins and its password reset and detaches its rental drafts, so that copies of its cookie open
 * no account or draft. Clears the session but for the marks of a trusted browser (`known`).
 */
export async function leaveAccount({ services, session }: RequestContext): Promise<void> {
  await endAccountSession(services, session.ids)
  session.clear()
}
