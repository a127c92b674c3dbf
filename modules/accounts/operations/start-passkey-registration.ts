import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { invalidSession } from '../../../domain/texts/general-errors.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { creationOptions, type RelyingParty } from '../../../platform/passkeys/passkey-ceremony.ts'
import { CHALLENGE_MS, issueChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import { challengeLimit, countPasskeyAttempt, refuseFull } from '../internal/passkeys/passkey-refusals.ts'
import { refuseWithoutCurrentPassword } from '../internal/verify-current-password.ts'
import { credentialOf, loadPasskeys, MAX_PASSKEYS, userHandleOf } from '../passkeys/store.ts'

/** Account that adds a passkey, and the random id of the browser used, from its session. */
interface PasskeyRegistration {
  accountId: string
  browser: string
}

/**
 * Returns the options for creating a passkey, given the current password. A copied cookie alone must not create one,
 * since a passkey would outlive it.
 */
export async function startPasskeyRegistration(
  services: Services,
  party: RelyingParty,
  { accountId, browser }: PasskeyRegistration,
  proof: { current_password: string },
  callers: Pick<Callers, 'address'>,
): Promise<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Refusal> {
  const refusal =
    (await countPasskeyAttempt(services, callers.address, 'passkey challenge', challengeLimit)) ??
    (await refuseWithoutCurrentPassword(services, accountId, proof))
  if (refusal) return refusal
  const [account, existing] = await Promise.all([
    services.db.read.selectFrom('accounts').select('username').where('account_id', '=', accountId).executeTakeFirst(),
    loadPasskeys(services, accountId),
  ])
  if (!account) return refuse(403, 'forbidden', invalidSession)
  if (existing.length >= MAX_PASSKEYS) return refuseFull()
  const challenge = await issueChallenge(services, { browser, purpose: 'add', subject: accountId })
  const user = { userHandle: userHandleOf(accountId), userName: account.username, displayName: account.username }
  const options = { ...user, existing: existing.map(credentialOf) }
  return { ok: true, options: await creationOptions(party, options, challenge, CHALLENGE_MS) }
}
