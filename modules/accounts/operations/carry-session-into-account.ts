import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { draftAfterSignIn } from '../../reservations/draft-sessions-across-browsers.ts'
import { endSignIn, resolveBearerToken } from '../sessions.ts'
import { addTrustedBrowserMark } from '../views/mark-browser-for-own-attempt-count.ts'

/** Tokens, draft and marks of a browser's session before an account's session starts in it. */
interface EarlierSession {
  token?: string
  guestToken?: string
  draftId?: string
  /** Marks of the accounts that trust this browser (`addTrustedBrowserMark`). */
  known?: string[]
}

/** Returns whether an account, or one of its tenants, has an e-mail address. @param key of the address (`emailKey`) */
async function accountHasEmail(services: Services, accountId: string, key: string): Promise<boolean> {
  const match = await services.db.read
    .selectFrom('accounts')
    .leftJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select('accounts.account_id')
    .where('accounts.account_id', '=', accountId)
    .where((eb) => eb.or([eb('accounts.email', '=', key), eb('tenants.email_key', '=', key)]))
    .executeTakeFirst()
  return match !== undefined
}

/**
 * Prepares an account's session in a browser: ends the browser's earlier sign-ins, continues a rental draft that the
 * tenant may continue, and lets the account trust the browser. The caller stores what it returns in the session.
 * @param token the new sign-in
 * @param keptDraftId draft that the session has from now on, in place of its earlier one
 * @returns the account's tenants, and for the session the draft's id and the browser's marks (`known`); both empty for
 *   a token that has ended
 */
export async function carrySessionIntoAccount(
  services: Services,
  earlier: EarlierSession,
  token: string,
  keptDraftId?: string,
): Promise<{ tenants: TenantCaller['tenants']; ids: { draftId?: string; known?: string[] } }> {
  for (const signInToken of [earlier.token, earlier.guestToken]) if (signInToken) await endSignIn(services, signInToken)
  const { tenant } = await resolveBearerToken(services, token)
  if (!tenant) return { tenants: [], ids: {} }
  const isOwnAddress = (key: string) => accountHasEmail(services, tenant.accountId, key)
  const draftId = keptDraftId ?? (await draftAfterSignIn(services, earlier.draftId, tenant, isOwnAddress))
  const known = await addTrustedBrowserMark(services, earlier.known, tenant.accountId)
  return { tenants: tenant.tenants, ids: { ...(draftId && { draftId }), known } }
}
