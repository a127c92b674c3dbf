import type { Kysely } from 'kysely'
import { factorNotAdded, wrongFactor } from '../../../domain/texts/office-refusals.ts'
import { writeAuditEvent } from '../../../platform/audit/audit.ts'
import { checkAndCountGuess, countWrongGuess } from '../../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type RelyingParty, readAttestation, verifyCreation } from '../../../platform/passkeys/passkey-ceremony.ts'
import { consumeChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import {
  addPasskeyFactor,
  addTotpFactor,
  deriveTotpSecret,
  loadFactors,
  replaceRecoveryCodes,
  verifyTotp,
} from '../mfa.ts'
import { completeSignIn, type SignInAttempt, signInId } from '../sign-ins.ts'
import { lockStaffMember } from '../staff-members.ts'
import { type Enroller, findEnroller } from '../views/factor-enrollment.ts'
import { loadFactorRequirement } from '../views/second-factor-kinds.ts'

type NewFactorInput = { kind: 'passkey'; answer: string; name: string } | { kind: 'totp'; code: string; name: string }

/**
 * Adds a second factor: the first one during a sign-in, which it completes, and further ones from the staff member's
 * own page. Recovery codes are generated when the staff member has none.
 * @returns bearer token to continue with, and new recovery codes, if any; 401, 403 or 429
 */
export async function addFactor(
  services: Services,
  party: RelyingParty,
  { token, device }: SignInAttempt,
  input: NewFactorInput,
  callers: Callers,
): Promise<{ ok: true; token: string; recoveryCodes: string[] } | Refusal> {
  const enroller = await findEnroller(services, token, callers)
  if ('ok' in enroller) return enroller
  if (!(await loadFactorRequirement(services, enroller.staffId)).allowed.includes(input.kind))
    return refuse(403, 'invalid', factorNotAdded)
  const step =
    input.kind === 'passkey'
      ? await verifyNewPasskey(services, party, enroller, device, input)
      : await verifyNewTotp(services, enroller, token, input)
  if ('ok' in step) return step
  const { add } = step
  const result = await services.db.transaction(async (tx) => {
    await lockStaffMember(tx, enroller.staffId)
    // When two first factors are added at the same time during a sign-in, the later one is refused.
    if (enroller.first && (await loadFactors(tx, enroller.staffId)).factors.length > 0) return null
    if (!(await add(tx))) return null
    const signIn = enroller.first ? await completeSignIn(tx, services, token, input.kind) : { token }
    if (!signIn) return null
    const actor = { ...callers, staff: { ...enroller, signIn: signInId(signIn.token) } }
    await writeAuditEvent(tx, services, actor, {
      kind: 'staff.factor_added',
      details: { how: input.kind, name: input.name },
    })
    const hasCodes = (await loadFactors(tx, enroller.staffId)).recoveryCodes > 0
    const recoveryCodes = hasCodes ? [] : await replaceRecoveryCodes(tx, services, enroller.staffId)
    return { ok: true as const, token: signIn.token, recoveryCodes }
  })
  return result ?? refuse(403, 'invalid', factorNotAdded)
}

/** A verified new factor. */
interface FactorStep {
  /** Stores the factor; false when it cannot be added. */
  add(tx: Kysely<Tables>): Promise<boolean>
}

async function verifyNewPasskey(
  services: Services,
  party: RelyingParty,
  { staffId }: Enroller,
  device: string,
  { answer, name }: { answer: string; name: string },
): Promise<FactorStep | Refusal> {
  const attestation = readAttestation(answer)
  const isChallengeValid =
    attestation &&
    (await consumeChallenge(services, attestation.challenge, {
      browser: device,
      purpose: 'office add',
      subject: staffId,
    }))
  const credential = isChallengeValid ? await verifyCreation(party, attestation) : null
  if (!credential) return refuse(403, 'invalid', factorNotAdded)
  return { add: (tx) => addPasskeyFactor(tx, services, staffId, { credential, name }) }
}

async function verifyNewTotp(
  services: Services,
  { staffId }: Enroller,
  token: string,
  { code, name }: { code: string; name: string },
): Promise<FactorStep | Refusal> {
  const refusal = await checkAndCountGuess(services, 'office factor', {
    name: `new office factor:${staffId}`,
    code: 'locked',
  })
  if (refusal) return refusal
  const secret = await deriveTotpSecret(services, staffId, token)
  const step = await verifyTotp(secret, code.replace(/\s/g, ''), services.clock.now())
  if (step === null) {
    await countWrongGuess(services, 'office factor')
    return refuse(403, 'invalid', wrongFactor, { fields: { code: wrongFactor } })
  }
  return { add: (tx) => addTotpFactor(tx, services, staffId, { secret, name, step }) }
}
