import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Refusal } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { creationOptions, type RelyingParty } from '../../../platform/passkeys/passkey-ceremony.ts'
import { CHALLENGE_MS, issueChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import { loadPasskeyCredentials, staffHandle } from '../mfa.ts'
import type { SignInAttempt } from '../sign-ins.ts'
import { findEnroller } from '../views/factor-enrollment.ts'

/** Returns the options with which the browser creates a new passkey for the staff member. */
export async function startStaffPasskeyRegistration(
  services: Services,
  party: RelyingParty,
  { token, device }: SignInAttempt,
  callers: Callers,
): Promise<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Refusal> {
  const enroller = await findEnroller(services, token, callers)
  if ('ok' in enroller) return enroller
  const challenge = await issueChallenge(services, {
    browser: device,
    purpose: 'office add',
    subject: enroller.staffId,
  })
  const existing = await loadPasskeyCredentials(services.db.read, enroller.staffId)
  const names = { userHandle: staffHandle(enroller.staffId), userName: enroller.email, displayName: enroller.name }
  return { ok: true, options: await creationOptions(party, { ...names, existing }, challenge, CHALLENGE_MS) }
}
