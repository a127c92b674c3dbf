import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Refusal } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type RelyingParty, requestOptions } from '../../../platform/passkeys/passkey-ceremony.ts'
import { CHALLENGE_MS, issueChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import { challengeLimit, countPasskeyAttempt } from '../internal/passkeys/passkey-refusals.ts'

/** Returns the options for signing in with any passkey of this site. */
export async function startPasskeySignIn(
  services: Services,
  party: RelyingParty,
  browser: string,
  callers: Pick<Callers, 'address'>,
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Refusal> {
  const refusal = await countPasskeyAttempt(services, callers.address, 'passkey challenge', challengeLimit)
  if (refusal) return refusal
  const challenge = await issueChallenge(services, { browser, purpose: 'sign-in', subject: null })
  return { ok: true, options: await requestOptions(party, challenge, CHALLENGE_MS) }
}
