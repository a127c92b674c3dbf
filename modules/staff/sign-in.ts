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
  loadFactors,
  passkeyFactor,
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
  const person = row?.ended_at === null ? row : undefined
  const isKnownBrowser = person !== undefined && (await isKnownDevice(services, person.staff_id, device))
  const target = `office:${services.sealer.fingerprint(email.toLowerCase(), 'limit')}`
  const wrong = { target, network: networkOf(callers.address) }
  const name = `${target}:${isKnownBrowser ? deviceName(device) : wrong.network}`
  const refused = await countGuess(services, 'office password', {
    name,
    isTrustedBrowser: isKnownBrowser,
    wrong,
    code: 'locked',
  })
  if (refused) return refused
  const right = await services.passwords.verify(person?.password_hash ?? (await decoyHash(services)), password)
  if (!person?.password_hash || !right) {
    if (!isKnownBrowser) await wrongGuess(services, 'office password', wrong)
    services.security.record('sign_in.refused', { how: 'office password', staff: person?.staff_id })
    return refuse(403, 'invalid', wrongOfficeSignIn)
  }
  for (const { key } of targetKeys('office password', name)) await services.limits.reset(key)
  return {
    ok: true,
    token: await insertStaffSignIn(services.db.write, services, person.staff_id, { device, ...callers }),
  }
}

const deviceName = (device: string) => `device ${tokenHash(device).slice(0, 16)}`

/** A second factor, given to sign in or to confirm a sensitive operation. */
export type FactorInput =
  | { kind: 'passkey'; answer: string }
  | { kind: 'totp'; code: string }
  | { kind: 'recovery'; code: string }

interface Asking {
  token: string
  /** Device id from the browser's cookie. Passkey challenges are bound to it. */
  device: string
}

/** Returns the id of the staff member who gives the factor, either during sign-in or already signed in. */
async function personOf(services: Services, { token }: Asking, callers: Callers): Promise<string | null> {
  if (callers.staff?.signIn === signInId(token)) return callers.staff.staffId
  return (await findPartialSignIn(services, token))?.staffId ?? null
}

/** Returns the options with which the browser asks for one of the staff member's passkeys. */
export async function startStaffPasskeyRequest(
  services: Services,
  party: RelyingParty,
  asking: Asking,
  callers: Callers,
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Refusal> {
  const staffId = await personOf(services, asking, callers)
  if (staffId === null) return refuse(401, 'unauthorized', signInOver)
  const challenge = await issueChallenge(services, { browser: asking.device, purpose: 'office', subject: staffId })
  return { ok: true, options: await requestOptions(party, challenge, CHALLENGE_MS) }
}

/**
 * Verifies a second factor.
 * @returns function that consumes the factor in a transaction; null when the factor is wrong
 */
async function checked(
  services: Services,
  party: RelyingParty,
  staffId: string,
  device: string,
  given: FactorInput,
): Promise<((tx: Kysely<Tables>) => Promise<boolean>) | null> {
  if (given.kind === 'totp') return (tx) => consumeTotp(tx, services, staffId, given.code.replace(/\s/g, ''))
  if (given.kind === 'recovery') return (tx) => consumeRecoveryCode(tx, staffId, given.code)
  const answer = readAssertion(given.answer)
  if (!answer) return null
  if (!(await consumeChallenge(services, answer.challenge, { browser: device, purpose: 'office', subject: staffId })))
    return null
  const passkey = await passkeyFactor(services.db.read, answer.id)
  if (passkey?.staffId !== staffId || answer.response.userHandle !== staffHandle(staffId)) return null
  const verified = await verifyAssertion(party, answer, passkey.credential)
  return verified.ok ? (tx) => recordStaffPasskeyUse(tx, services, passkey.factorId, verified.counter) : null
}

/**
 * Returns the name of a try counter that other people cannot exhaust, bound to the sign-in or to a known browser; null
 * for an unknown browser.
 */
async function ownTries(
  services: Services,
  staffId: string,
  { token, device }: Asking,
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
  asking: Asking,
  given: FactorInput,
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const staffId = await personOf(services, asking, callers)
  if (staffId === null) return refuse(401, 'unauthorized', signInOver)
  const own = await ownTries(services, staffId, asking, callers)
  const isKnownBrowser = own !== null
  const name = `office factor:${staffId}${isKnownBrowser ? `:${own}` : ''}`
  // A passkey cannot be guessed, so limits that others exhausted do not apply to it.
  const counted = given.kind !== 'passkey'
  if (counted) {
    const refused = await countGuess(services, 'office factor', {
      name,
      isTrustedBrowser: isKnownBrowser,
      code: 'locked',
    })
    if (refused) return refused
  }
  const roles = (await loadRoles(services.db.read, staffId)).map(({ role }) => role)
  if (!factorsAllowed(roles, services).includes(given.kind)) return refuse(403, 'passkey_needed', passkeyNeeded)
  const use = await checked(services, party, staffId, asking.device, given)
  const token =
    use && (await services.db.transaction((tx) => enter(tx, services, { staffId, asking, given, use }, callers)))
  if (!token) {
    if (counted && !isKnownBrowser) await wrongGuess(services, 'office factor')
    services.security.record('sign_in.refused', { how: `office ${given.kind}`, staff: staffId })
    return refuse(403, 'invalid', wrongFactor)
  }
  for (const { key } of targetKeys('office factor', name)) await services.limits.reset(key)
  return { ok: true, token }
}

async function enter(
  tx: Kysely<Tables>,
  services: Services,
  of: { staffId: string; asking: Asking; given: FactorInput; use: (tx: Kysely<Tables>) => Promise<boolean> },
  callers: Callers,
): Promise<string | null> {
  const { staffId, asking, given } = of
  if (!(await of.use(tx))) return null
  const person = await tx
    .selectFrom('staff')
    .select(['name', 'ended_at'])
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow()
  if (person.ended_at !== null) return null
  const by = (signIn: string) => ({ ...callers, staff: { staffId, name: person.name, signIn } })
  if (callers.staff) {
    await recordFreshFactor(tx, services, asking.token)
    await writeAuditEvent(tx, services, by(callers.staff.signIn), {
      kind: 'staff.factor_proven',
      details: { how: given.kind },
    })
    return asking.token
  }
  const entered = await completeSignIn(tx, services, asking.token, given.kind)
  if (!entered) return null
  const details = { how: given.kind, newDevice: entered.newDevice }
  await writeAuditEvent(tx, services, by(signInId(entered.token)), { kind: 'staff.signed_in', details })
  if (entered.newDevice) await tellOfNewDevice(tx, services, staffId, entered.token, callers)
  return entered.token
}

const tellOfNewDevice = (
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
 * Returns which kinds of second factor the staff member may use and which of these they have. Without any, one is added
 * first.
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
