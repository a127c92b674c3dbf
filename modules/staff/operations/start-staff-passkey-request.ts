import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { signInOver } from '../../../domain/texts/office-refusals.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type RelyingParty, requestOptions } from '../../../platform/passkeys/passkey-ceremony.ts'
import { CHALLENGE_MS, issueChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import type { SignInAttempt } from '../sign-ins.ts'
import { findStaffOfSignIn } from '../views/staff-of-partial-or-complete-sign-in.ts'

/** Returns the options with which the browser asks for a passkey. The challenge is valid for this staff member and browser. */
export async function startStaffPasskeyRequest(
  services: Services,
  party: RelyingParty,
  attempt: SignInAttempt,
  callers: Callers,
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Refusal> {
  const staffMember = await findStaffOfSignIn(services, attempt.token, callers)
  if (staffMember === null) return refuse(401, 'unauthorized', signInOver)
  const { staffId } = staffMember
  const challenge = await issueChallenge(services, { browser: attempt.device, purpose: 'office', subject: staffId })
  return { ok: true, options: await requestOptions(party, challenge, CHALLENGE_MS) }
}
