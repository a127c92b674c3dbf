import type { Kysely } from 'kysely'
import { passkeyNeeded, signInOver, wrongFactor } from '../../../domain/texts/office-refusals.ts'
import { writeAuditEvent } from '../../../platform/audit/audit.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { checkAndCountGuess, countWrongGuess, targetKeys } from '../../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type RelyingParty, readAssertion, verifyAssertion } from '../../../platform/passkeys/passkey-ceremony.ts'
import { consumeChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { deviceName, isKnownDevice } from '../internal/is-known-device.ts'
import {
  consumeRecoveryCode,
  consumeTotp,
  factorsAllowed,
  findPasskeyFactor,
  recordStaffPasskeyUse,
  staffHandle,
} from '../mfa.ts'
import { completeSignIn, recordFreshFactor, type SignInAttempt, signInId } from '../sign-ins.ts'
import { loadRoles } from '../staff-members.ts'
import { findStaffOfSignIn } from '../views/staff-of-partial-or-complete-sign-in.ts'

/** A second factor, given to sign in or to confirm a sensitive operation. */
export type FactorInput =
  | { kind: 'passkey'; answer: string }
  | { kind: 'totp'; code: string }
  | { kind: 'recovery'; code: string }

/**
 * Verifies a second factor.
 * @returns function that consumes the factor in a transaction, and returns false for a wrong code or a replayed
 *   passkey; null when the passkey is wrong
 */
async function verifyFactor(
  services: Services,
  party: RelyingParty,
  staffId: string,
  device: string,
  input: FactorInput,
): Promise<((tx: Kysely<Tables>) => Promise<boolean>) | null> {
  if (input.kind === 'totp') return (tx) => consumeTotp(tx, services, staffId, input.code.replace(/\s/g, ''))
  if (input.kind === 'recovery') return (tx) => consumeRecoveryCode(tx, staffId, input.code)
  const answer = readAssertion(input.answer)
  if (!answer) return null
  if (!(await consumeChallenge(services, answer.challenge, { browser: device, purpose: 'office', subject: staffId })))
    return null
  const passkey = await findPasskeyFactor(services.db.read, answer.id)
  if (passkey?.staffId !== staffId || answer.response.userHandle !== staffHandle(staffId)) return null
  const verified = await verifyAssertion(party, answer, passkey.credential)
  return verified.ok ? (tx) => recordStaffPasskeyUse(tx, services, passkey.factorId, verified.counter) : null
}

/**
 * Returns the last part of the name of an attempt counter that other people cannot exhaust, bound to the sign-in or to
 * a known browser; null for an unknown browser.
 */
async function findOwnCounterName(
  services: Services,
  staffId: string,
  { token, device }: SignInAttempt,
  callers: Callers,
): Promise<string | null> {
  if (callers.staff) return `sign-in ${signInId(token)}`
  return (await isKnownDevice(services, staffId, device)) ? deviceName(device) : null
}

/**
 * Checks the second factor: the second step of a sign-in, or the confirmation of a sensitive operation.
 * @returns bearer token to continue with, new after a sign-in and unchanged after a confirmation; 401, 403 or 429
 */
export async function verifySecondFactor(
  services: Services,
  party: RelyingParty,
  attempt: SignInAttempt,
  input: FactorInput,
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const staffMember = await findStaffOfSignIn(services, attempt.token, callers)
  if (staffMember === null) return refuse(401, 'unauthorized', signInOver)
  const { staffId } = staffMember
  const ownCounterName = await findOwnCounterName(services, staffId, attempt, callers)
  const hasOwnCounter = ownCounterName !== null
  const name = `office factor:${staffId}${hasOwnCounter ? `:${ownCounterName}` : ''}`
  // A passkey cannot be guessed, so limits that others exhausted do not apply to it.
  const isCounted = input.kind !== 'passkey'
  if (isCounted) {
    const refusal = await checkAndCountGuess(services, 'office factor', {
      name,
      isTrustedBrowser: hasOwnCounter,
      code: 'locked',
    })
    if (refusal) return refusal
  }
  const roles = (await loadRoles(services.db.read, staffId)).map(({ role }) => role)
  if (!factorsAllowed(roles, services).includes(input.kind)) return refuse(403, 'passkey_needed', passkeyNeeded)
  const consumeFactor = await verifyFactor(services, party, staffId, attempt.device, input)
  const token =
    consumeFactor &&
    (await services.db.transaction((tx) =>
      acceptFactor(tx, services, { staffId, attempt, input, consumeFactor }, callers),
    ))
  if (!token) {
    if (isCounted && !hasOwnCounter) await countWrongGuess(services, 'office factor')
    services.security.record('sign_in.refused', { how: `office ${input.kind}`, staff: staffId })
    return refuse(403, 'invalid', wrongFactor)
  }
  for (const { key } of targetKeys('office factor', name)) await services.limits.reset(key)
  return { ok: true, token }
}

async function acceptFactor(
  tx: Kysely<Tables>,
  services: Services,
  accepted: {
    staffId: string
    attempt: SignInAttempt
    input: FactorInput
    consumeFactor: (tx: Kysely<Tables>) => Promise<boolean>
  },
  callers: Callers,
): Promise<string | null> {
  const { staffId, attempt, input } = accepted
  if (!(await accepted.consumeFactor(tx))) return null
  const staffMember = await tx
    .selectFrom('staff')
    .select(['name', 'ended_at'])
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow()
  if (staffMember.ended_at !== null) return null
  const actorWith = (signIn: string) => ({ ...callers, staff: { staffId, name: staffMember.name, signIn } })
  if (callers.staff) {
    await recordFreshFactor(tx, services, attempt.token)
    await writeAuditEvent(tx, services, actorWith(callers.staff.signIn), {
      kind: 'staff.factor_proven',
      details: { how: input.kind },
    })
    return attempt.token
  }
  const signIn = await completeSignIn(tx, services, attempt.token, input.kind)
  if (!signIn) return null
  const details = { how: input.kind, newDevice: signIn.newDevice }
  await writeAuditEvent(tx, services, actorWith(signInId(signIn.token)), { kind: 'staff.signed_in', details })
  if (signIn.newDevice) await mailAboutNewDevice(tx, services, staffId, signIn.token, callers)
  return signIn.token
}

const mailAboutNewDevice = (
  tx: Kysely<Tables>,
  services: Services,
  staffId: string,
  token: string,
  { address, agent }: Callers,
) =>
  enqueue(tx, {
    kind: 'staff_new_device',
    once: signInId(token),
    payload: { staffId, at: services.clock.now(), address, agent: agent.slice(0, 300) },
    runAt: services.clock.now(),
  })
