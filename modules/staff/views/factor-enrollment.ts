import { invitationNeeded, secondFactorNeeded, signInOver } from '../../../domain/texts/office-refusals.ts'
import { type Callers, hasFreshFactor } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { deriveTotpSecret, totpUri } from '../mfa.ts'
import { findPartialSignIn, signInId } from '../sign-ins.ts'
import { loadFactorRequirement } from './second-factor-kinds.ts'

/** A staff member who may add a second factor. */
export interface Enroller {
  staffId: string
  name: string
  email: string
  /** Whether the sign-in still lacks a second factor. Adding a factor completes the sign-in. */
  first: boolean
}

/**
 * Returns the staff member of a sign-in if they may add a factor: during sign-in only if they have no factor of any
 * kind, after sign-in only if they proved a factor recently. Otherwise returns a refusal.
 */
export async function findEnroller(services: Services, token: string, callers: Callers): Promise<Enroller | Refusal> {
  const { staff } = callers
  if (staff?.signIn === signInId(token)) {
    if (!hasFreshFactor(callers, services.clock.now())) return refuse(403, 'factor_needed', secondFactorNeeded)
    const { email } = await services.db.read
      .selectFrom('staff')
      .select('email')
      .where('staff_id', '=', staff.staffId)
      .executeTakeFirstOrThrow()
    return { staffId: staff.staffId, name: staff.name, email, first: false }
  }
  const partialSignIn = await findPartialSignIn(services, token)
  if (!partialSignIn) return refuse(401, 'unauthorized', signInOver)
  const { has, isInvitationNeeded } = await loadFactorRequirement(services, partialSignIn.staffId)
  if (has.length > 0) return refuse(401, 'unauthorized', signInOver)
  if (isInvitationNeeded) return refuse(403, 'passkey_needed', invitationNeeded)
  return { ...partialSignIn, first: true }
}

/**
 * Returns the TOTP secret of this sign-in, base32, and its `otpauth:` URI as `address`. The secret takes effect when
 * `addFactor` receives a valid code for it.
 */
export async function loadTotpOffer(
  services: Services,
  issuer: string,
  token: string,
  callers: Callers,
): Promise<{ ok: true; secret: string; address: string } | Refusal> {
  const enroller = await findEnroller(services, token, callers)
  if ('ok' in enroller) return enroller
  const secret = await deriveTotpSecret(services, enroller.staffId, token)
  return { ok: true, secret, address: await totpUri(secret, { issuer, label: enroller.email }) }
}
