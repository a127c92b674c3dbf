import { comingSoon as comingSoonText, loginFailed, passkeyRefused } from '../../../domain/texts/account.ts'
import { guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type RelyingParty, readAssertion, verifyAssertion } from '../../../platform/passkeys/passkey-ceremony.ts'
import { consumeChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import { loadSignInTenants } from '../internal/find-account-to-sign-in.ts'
import { countPasskeyAttempt, refuseExpired, refuseUnreadable } from '../internal/passkeys/passkey-refusals.ts'
import { countPasswordAttempt } from '../internal/password-attempt-limits.ts'
import { credentialOf, loadPasskeyByCredential, recordPasskeyUse, userHandleOf } from '../passkeys/store.ts'
import { signIn } from '../sessions.ts'

/**
 * Signs in with the browser's response to a challenge. Every failed check of the passkey gets the same refusal.
 * @param answer JSON text
 * @returns the bearer token; a refusal with 400 for an unreadable response or a challenge that is used, expired or not
 *   this browser's, with 403 for a failed check or an account whose tenants cannot sign in, or with 429 after too many
 *   attempts
 */
export async function signInByPasskey(
  services: Services,
  party: RelyingParty,
  { browser, answer }: { browser: string; answer: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const refusal = await countPasskeyAttempt(services, callers.address, 'passkey sign-in', guessLimits.password.address)
  if (refusal) return refusal
  const assertion = readAssertion(answer)
  if (!assertion) return refuseUnreadable()
  const recordAndRefuse = (why: string, account?: string) => {
    services.security.record('passkey.refused', { account, why })
    return refuse(403, 'invalid', passkeyRefused)
  }
  if (!(await consumeChallenge(services, assertion.challenge, { browser, purpose: 'sign-in', subject: null }))) {
    recordAndRefuse('challenge')
    return refuseExpired()
  }
  const passkey = await loadPasskeyByCredential(services, assertion.id)
  const account =
    passkey &&
    (await services.db.read
      .selectFrom('accounts')
      .selectAll()
      .where('account_id', '=', passkey.account_id)
      .executeTakeFirst())
  if (!passkey || !account) return recordAndRefuse('unknown')
  const { account_id } = account
  if (assertion.response.userHandle !== userHandleOf(account_id)) return recordAndRefuse('user', account_id)
  const attempt = await countPasswordAttempt(services, account, account.username, callers, 'passkey')
  if (attempt.refusal) return attempt.refusal
  const verified = await verifyAssertion(party, assertion, credentialOf(passkey))
  if (!verified.ok) return recordAndRefuse(verified.why, account_id)
  const { tenants, comingSoon } = await loadSignInTenants(services, account_id)
  if (!tenants[0]) return refuse(403, 'no_tenant', comingSoon ? comingSoonText : loginFailed)
  const token = await services.db.transaction(async (tx) =>
    (await recordPasskeyUse(tx, services, passkey.passkey_id, verified))
      ? signIn(tx, services, account_id, callers, passkey.passkey_id)
      : null,
  )
  // The passkey was removed meanwhile, or was used with this counter or a higher one.
  if (token === null) return recordAndRefuse('counter', account_id)
  await attempt.recordSuccess()
  services.security.record('sign_in.succeeded', { account: account_id, how: 'passkey' })
  return { ok: true, token }
}
