/**
 * Office sign-in: password, then a second factor. Accounts, cookies and limits are separate from tenant accounts.
 * docs/decisions/office.md
 */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Kysely } from 'kysely'
import type { FactorKind } from '../../domain/office/second-factors.ts'
import { passkeyNeeded, signInOver, wrongFactor, wrongOfficeSignIn } from '../../domain/texts/office-refusals.ts'
import { writeAuditEvent } from '../../platform/audit/audit.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { networkOf } from '../../platform/network-address.ts'
import { countGuess, targetKeys, wrongGuess } from '../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import {
  type RelyingParty,
  readAssertion,
  requestOptions,
  verifyAssertion,
} from '../../platform/passkeys/passkey-ceremony.ts'
import { CHALLENGE_MS, consumeChallenge, issueChallenge } from '../../platform/passkeys/passkey-challenges.ts'
import { decoyHash } from '../../platform/passwords/decoy-hash.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import {
  consumeRecoveryCode,
  consumeTotp,
  factorsAllowed,
  findPasskeyFactor,
  loadFactors,
  recordStaffPasskeyUse,
  staffHandle,
} from './mfa.ts'
import { completeSignIn, findPartialSignIn, insertStaffSignIn, recordFreshFactor, signInId } from './sign-ins.ts'
import { loadRoles } from './staff-members.ts'
import { isKnownDevice } from './unlock-link.ts'

/**
 * Checks e-mail address and password, the first step of a sign-in. Wrong passwords are counted for each network; a
 * browser in which the staff member has signed in before has its own count.
 * @param device device id from the browser's cookie
 * @returns token of a sign-in that still needs its second factor; 403; 429
 */
export async function verifyStaffPassword(
  services: Services,
  { email, password, device }: { email: string; password: string; device: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const row = await services.db.read
    .selectFrom('staff')
    .select(['staff_id', 'password_hash', 'ended_at'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  const staffMember = row?.ended_at === null ? row : undefined
  const isKnownBrowser = staffMember !== undefined && (await isKnownDevice(services, staffMember.staff_id, device))
  const target = `office:${services.sealer.fingerprint(email.toLowerCase(), 'limit')}`
  const failureCounter = { target, network: networkOf(callers.address) }
  const name = `${target}:${isKnownBrowser ? deviceName(device) : failureCounter.network}`
  const refusal = await countGuess(services, 'office password', {
    name,
    isTrustedBrowser: isKnownBrowser,
    wrong: failureCounter,
    code: 'locked',
  })
  if (refusal) return refusal
  const isPasswordRight = await services.passwords.verify(
    staffMember?.password_hash ?? (await decoyHash(services)),
    password,
  )
  if (!staffMember?.password_hash || !isPasswordRight) {
    if (!isKnownBrowser) await wrongGuess(services, 'office password', failureCounter)
    services.security.record('sign_in.refused', { how: 'office password', staff: staffMember?.staff_id })
    return refuse(403, 'invalid', wrongOfficeSignIn)
  }
  for (const { key } of targetKeys('office password', name)) await services.limits.reset(key)
  return {
    ok: true,
    token: await insertStaffSignIn(services.db.write, services, staffMember.staff_id, { device, ...callers }),
  }
}

const deviceName = (device: string) => `device ${tokenHash(device).slice(0, 16)}`

/** A second factor, given to sign in or to confirm a sensitive operation. */
export type FactorInput =
  | { kind: 'passkey'; answer: string }
  | { kind: 'totp'; code: string }
  | { kind: 'recovery'; code: string }

interface SignInAttempt {
  token: string
  /** Device id from the browser's cookie. Passkey challenges are bound to it. */
  device: string
}

/** Returns the id of the staff member of a partial or complete sign-in; null when the sign-in has ended. */
async function findStaffId(services: Services, { token }: SignInAttempt, callers: Callers): Promise<string | null> {
  if (callers.staff?.signIn === signInId(token)) return callers.staff.staffId
  return (await findPartialSignIn(services, token))?.staffId ?? null
}

/** Returns the options with which the browser asks for one of the staff member's passkeys. */
export async function startStaffPasskeyRequest(
  services: Services,
  party: RelyingParty,
  attempt: SignInAttempt,
  callers: Callers,
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Refusal> {
  const staffId = await findStaffId(services, attempt, callers)
  if (staffId === null) return refuse(401, 'unauthorized', signInOver)
  const challenge = await issueChallenge(services, { browser: attempt.device, purpose: 'office', subject: staffId })
  return { ok: true, options: await requestOptions(party, challenge, CHALLENGE_MS) }
}

/**
 * Verifies a second factor.
 * @returns function that consumes the factor in a transaction; null when the factor is wrong
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
 * Returns the name of a try counter that other people cannot exhaust, bound to the sign-in or to a known browser; null
 * for an unknown browser.
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
  const staffId = await findStaffId(services, attempt, callers)
  if (staffId === null) return refuse(401, 'unauthorized', signInOver)
  const ownCounterName = await findOwnCounterName(services, staffId, attempt, callers)
  const isKnownBrowser = ownCounterName !== null
  const name = `office factor:${staffId}${isKnownBrowser ? `:${ownCounterName}` : ''}`
  // A passkey cannot be guessed, so limits that others exhausted do not apply to it.
  const isCounted = input.kind !== 'passkey'
  if (isCounted) {
    const refusal = await countGuess(services, 'office factor', {
      name,
      isTrustedBrowser: isKnownBrowser,
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
    if (isCounted && !isKnownBrowser) await wrongGuess(services, 'office factor')
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

/**
 * Returns which kinds of second factor the staff member may use and which of these kinds they have. A staff member who
 * has none adds a factor first.
 */
export async function loadFactorRequirement(
  services: Services,
  staffId: string,
): Promise<{ allowed: readonly FactorKind[]; has: readonly FactorKind[] }> {
  const roles = (await loadRoles(services.db.read, staffId)).map(({ role }) => role)
  const allowed = factorsAllowed(roles, services)
  const { factors, recoveryCodes } = await loadFactors(services.db.read, staffId)
  const kinds: FactorKind[] = [...factors.map(({ kind }) => kind), ...(recoveryCodes > 0 ? ['recovery' as const] : [])]
  return { allowed, has: allowed.filter((kind) => kinds.includes(kind)) }
}
