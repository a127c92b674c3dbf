/**
 * Adds passkeys to accounts, and signs in with them (docs/decisions/signing-in.md). passkey-ceremony.ts has the WebAuthn
 * ceremony, store.ts the records.
 */

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import {
  comingSoon as comingSoonText,
  currentPasswordRequired,
  enterCorrectInformation,
  loginFailed,
  passkeyExpired,
  passkeyNotAdded,
  passkeyRefused,
  passkeysFull,
} from '../../../domain/texts/account.ts'
import { formUnreadable, invalidSession } from '../../../domain/texts/site.ts'
import { tooManyTries } from '../../../domain/texts/too-many-attempts.ts'
import { tokenHash } from '../../../platform/encryption/token-hash.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Refusal } from '../../../platform/operations/outcome.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import {
  creationOptions,
  type RelyingParty,
  readAssertion,
  readAttestation,
  requestOptions,
  verifyAssertion,
  verifyCreation,
} from '../../../platform/passkeys/passkey-ceremony.ts'
import { CHALLENGE_MS, consumeChallenge, issueChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import type { Limit } from '../../../platform/rate-limits.ts'
import { verifyCurrentPassword } from '../internal/reauthentication.ts'
import { countPasswordAttempt, loadSignInTenants } from '../password-attempts.ts'
import { signIn } from '../sessions.ts'
import {
  credentialOf,
  insertPasskey,
  loadPasskeyByCredential,
  loadPasskeys,
  MAX_PASSKEYS,
  recordPasskeyUse,
  removePasskey,
  userHandleOf,
} from './store.ts'

const refuseUnreadable = () => refuse(400, 'invalid_input', formUnreadable)
const refuseExpired = () => refuse(400, 'expired', passkeyExpired)
const refuseFull = () => refuse(409, 'full', passkeysFull)

/** Limit on challenges. It only stops floods: each log-in page requests one if the browser autofills passkeys. */
const challengeLimit: Limit = { points: 300, perSeconds: 900 }
/** Limit on passkey sign-ins, the same as for log-ins by password. */
const signInLimit: Limit = { points: 40, perSeconds: 900, shared: true }

async function countAttempt(
  services: Services,
  address: string,
  attempt: string,
  limit: Limit,
): Promise<Refusal | null> {
  const spent = await services.limits.consumeFrom(address, attempt, limit)
  if (spent.allowed) return null
  services.security.record('limit.reached', { operation: attempt })
  return refuse(429, 'too_many', tooManyTries(spent.retryAfterSeconds), { retryAfter: spent.retryAfterSeconds })
}

/** Account that adds a passkey, and the random id of the browser used, from its session. */
export interface PasskeyRegistration {
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
  const refusal = await countAttempt(services, callers.address, 'passkey challenge', challengeLimit)
  if (refusal) return refusal
  const presence = await verifyCurrentPassword(services, accountId, proof)
  if (presence.result === 'refused') return presence.refusal
  if (presence.result !== 'proven') {
    const isWrong = presence.result === 'wrong'
    const sentence = isWrong ? enterCorrectInformation : currentPasswordRequired
    return refuse(isWrong ? 403 : 400, 'password', sentence, { fields: { current_password: sentence } })
  }
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

/**
 * Verifies and stores a passkey that the browser created.
 * @param answer the browser's response, as JSON text
 * @returns a refusal with 400 for an unreadable or late response, 403 for an invalid one, 409 where it cannot
 *   be stored
 */
export async function addPasskey(
  services: Services,
  party: RelyingParty,
  { accountId, browser }: PasskeyRegistration,
  { answer, name }: { answer: string; name: string },
): Promise<{ ok: true } | Refusal> {
  const recordRefusal = (why: string) => services.security.record('passkey.refused', { account: accountId, why })
  const attestation = readAttestation(answer)
  if (!attestation) return refuseUnreadable()
  if (!(await consumeChallenge(services, attestation.challenge, { browser, purpose: 'add', subject: accountId }))) {
    recordRefusal('challenge')
    return refuseExpired()
  }
  const credential = await verifyCreation(party, attestation)
  if (!credential) {
    recordRefusal('attestation')
    return refuse(403, 'invalid', passkeyNotAdded)
  }
  const inserted = await insertPasskey(services, accountId, credential, name)
  if (inserted === 'full') return refuseFull()
  if (inserted === 'known') {
    recordRefusal('known')
    return refuse(409, 'known', passkeyNotAdded)
  }
  services.security.record('passkey.added', { account: accountId })
  return { ok: true }
}

/**
 * Removes a passkey of the account and ends all sign-ins made with it but the caller's own.
 * @returns whether the account had the passkey
 */
export async function removeAccountPasskey(
  services: Services,
  { accountId, token }: { accountId: string; token: string },
  passkeyId: string,
) {
  const removed = await removePasskey(services, accountId, passkeyId, tokenHash(token))
  if (removed) services.security.record('passkey.removed', { account: accountId })
  return removed
}

export const declinePasskeyOffer = async (services: Services, accountId: string): Promise<void> => {
  await services.db.write
    .updateTable('accounts')
    .set({ passkey_offer_declined_at: services.clock.now() })
    .where('account_id', '=', accountId)
    .execute()
}

/** Returns the options for signing in with any passkey of this site. */
export async function startPasskeySignIn(
  services: Services,
  party: RelyingParty,
  browser: string,
  callers: Pick<Callers, 'address'>,
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Refusal> {
  const refusal = await countAttempt(services, callers.address, 'passkey challenge', challengeLimit)
  if (refusal) return refusal
  const challenge = await issueChallenge(services, { browser, purpose: 'sign-in', subject: null })
  return { ok: true, options: await requestOptions(party, challenge, CHALLENGE_MS) }
}

/**
 * Signs in with the browser's response. Every failed check gets the same refusal.
 * @param answer JSON text
 * @returns the bearer token; a refusal with 400 for a late, repeated or unreadable response, 403 or 429
 */
export async function signInByPasskey(
  services: Services,
  party: RelyingParty,
  { browser, answer }: { browser: string; answer: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const refusal = await countAttempt(services, callers.address, 'passkey sign-in', signInLimit)
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
  // The passkey was removed meanwhile, or was already used with this counter.
  if (token === null) return recordAndRefuse('counter', account_id)
  await attempt.recordSuccess()
  services.security.record('sign_in.succeeded', { account: account_id, how: 'passkey' })
  return { ok: true, token }
}
