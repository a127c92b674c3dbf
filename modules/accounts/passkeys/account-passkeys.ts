/**
 * Passkeys of account holders: adding one, and signing in with one (docs/decisions/accounts.md). The ceremony itself is
 * ceremony.ts, what is kept is store.ts.
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
import { tooManyTries } from '../../../domain/texts/tries.ts'
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
} from '../../../platform/passkeys/ceremony.ts'
import { CHALLENGE_MS, consumeChallenge, issueChallenge } from '../../../platform/passkeys/challenges.ts'
import type { Limit } from '../../../platform/rate-limits.ts'
import { tokenHash } from '../../../platform/sealing/token-hash.ts'
import { countTry, tenantsToEnter } from '../passwords.ts'
import { provePresence } from '../reauthentication.ts'
import { signIn } from '../sessions.ts'
import {
  credentialOf,
  insertPasskey,
  MAX_PASSKEYS,
  noteUse,
  passkeyByCredential,
  passkeysOf,
  removePasskey,
  userHandleOf,
} from './store.ts'

const unreadable = () => refuse(400, 'invalid_input', formUnreadable)
const expired = () => refuse(400, 'expired', passkeyExpired)
const full = () => refuse(409, 'full', passkeysFull)

/** Every log-in page asks for a challenge where the browser fills in passkeys; this many keep a flood off. */
const asking: Limit = { points: 300, perSeconds: 900 }
/** As many as log-ins by password. */
const answering: Limit = { points: 40, perSeconds: 900, shared: true }

async function overLimit(services: Services, address: string, what: string, limit: Limit): Promise<Refusal | null> {
  const spent = await services.limits.consumeFrom(address, what, limit)
  if (spent.allowed) return null
  services.security.record('limit.reached', { operation: what })
  return refuse(429, 'too_many', tooManyTries(spent.retryAfterSeconds), { retryAfter: spent.retryAfterSeconds })
}

export interface Adding {
  accountId: string
  browser: string
}

/**
 * Asks the browser for a new passkey, once the current password has shown that the account's holder is there: a copied cookie is
 * as fresh as its sign-in, and a passkey would outlive it.
 */
export async function offerPasskey(
  services: Services,
  party: RelyingParty,
  { accountId, browser }: Adding,
  proof: { current_password: string },
  callers: Pick<Callers, 'address'>,
): Promise<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Refusal> {
  const over = await overLimit(services, callers.address, 'passkey challenge', asking)
  if (over) return over
  const presence = await provePresence(services, accountId, proof)
  if (presence.result === 'refused') return presence.refusal
  if (presence.result !== 'proven') {
    const wrong = presence.result === 'wrong'
    const sentence = wrong ? enterCorrectInformation : currentPasswordRequired
    return refuse(wrong ? 403 : 400, 'password', sentence, { fields: { current_password: sentence } })
  }
  const [account, existing] = await Promise.all([
    services.db.read.selectFrom('accounts').select('username').where('account_id', '=', accountId).executeTakeFirst(),
    passkeysOf(services, accountId),
  ])
  if (!account) return refuse(403, 'forbidden', invalidSession)
  if (existing.length >= MAX_PASSKEYS) return full()
  const challenge = await issueChallenge(services, { browser, purpose: 'add', subject: accountId })
  const who = { userHandle: userHandleOf(accountId), userName: account.username, displayName: account.username }
  const options = { ...who, existing: existing.map(credentialOf) }
  return { ok: true, options: await creationOptions(party, options, challenge, CHALLENGE_MS) }
}

/** @param answer what the browser made, as JSON text @returns 403 where it does not hold, 409 where it cannot be kept */
export async function addPasskey(
  services: Services,
  party: RelyingParty,
  { accountId, browser }: Adding,
  { answer, name }: { answer: string; name: string },
): Promise<{ ok: true } | Refusal> {
  const refused = (why: string) => services.security.record('passkey.refused', { account: accountId, why })
  const made = readAttestation(answer)
  if (!made) return unreadable()
  if (!(await consumeChallenge(services, made.challenge, { browser, purpose: 'add', subject: accountId }))) {
    refused('challenge')
    return expired()
  }
  const credential = await verifyCreation(party, made)
  if (!credential) {
    refused('attestation')
    return refuse(403, 'invalid', passkeyNotAdded)
  }
  const kept = await insertPasskey(services, accountId, credential, name)
  if (kept === 'full') return full()
  if (kept === 'known') {
    refused('known')
    return refuse(409, 'known', passkeyNotAdded)
  }
  services.security.record('passkey.added', { account: accountId })
  return { ok: true }
}

/** The sign-in that asks stays; every other one made with that passkey ends. @returns whether there was one */
export async function removeAccountPasskey(
  services: Services,
  { accountId, token }: { accountId: string; token: string },
  passkeyId: string,
) {
  const removed = await removePasskey(services, accountId, passkeyId, tokenHash(token))
  if (removed) services.security.record('passkey.removed', { account: accountId })
  return removed
}

/** Whether to offer a passkey: not to an account that has one, nor to one that has declined. */
export async function isPasskeyOffered(services: Services, accountId: string): Promise<boolean> {
  const row = await services.db.read
    .selectFrom('accounts')
    .leftJoin('passkeys', 'passkeys.account_id', 'accounts.account_id')
    .select('passkey_id')
    .where('accounts.account_id', '=', accountId)
    .where('passkey_offer_declined_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined && row.passkey_id === null
}

export const declinePasskeyOffer = async (services: Services, accountId: string): Promise<void> => {
  await services.db.write
    .updateTable('accounts')
    .set({ passkey_offer_declined_at: services.clock.now() })
    .where('account_id', '=', accountId)
    .execute()
}

/** Asks the browser for a passkey of this site, whosever. */
export async function askForPasskey(
  services: Services,
  party: RelyingParty,
  browser: string,
  callers: Pick<Callers, 'address'>,
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Refusal> {
  const over = await overLimit(services, callers.address, 'passkey challenge', asking)
  if (over) return over
  const challenge = await issueChallenge(services, { browser, purpose: 'sign-in', subject: null })
  return { ok: true, options: await requestOptions(party, challenge, CHALLENGE_MS) }
}

/**
 * Signs in with what the browser answered. It is refused in the same words whatever about it does not hold.
 * @param answer JSON text
 * @returns the bearer token; 400 for an answer that is too late, was given before or is none; 403; 429
 */
export async function signInByPasskey(
  services: Services,
  party: RelyingParty,
  { browser, answer }: { browser: string; answer: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const over = await overLimit(services, callers.address, 'passkey sign-in', answering)
  if (over) return over
  const given = readAssertion(answer)
  if (!given) return unreadable()
  const refused = (why: string, account?: string) => {
    services.security.record('passkey.refused', { account, why })
    return refuse(403, 'invalid', passkeyRefused)
  }
  if (!(await consumeChallenge(services, given.challenge, { browser, purpose: 'sign-in', subject: null }))) {
    refused('challenge')
    return expired()
  }
  const passkey = await passkeyByCredential(services, given.id)
  const account =
    passkey &&
    (await services.db.read
      .selectFrom('accounts')
      .selectAll()
      .where('account_id', '=', passkey.account_id)
      .executeTakeFirst())
  if (!passkey || !account) return refused('unknown')
  const { account_id } = account
  if (given.response.userHandle !== userHandleOf(account_id)) return refused('user', account_id)
  const tries = await countTry(services, account, account.username, callers, 'passkey')
  if (tries.refused) return tries.refused
  const verified = await verifyAssertion(party, given, credentialOf(passkey))
  if (!verified.ok) return refused(verified.why, account_id)
  const { here, comingSoon } = await tenantsToEnter(services, account_id)
  if (!here[0]) return refuse(403, 'no_tenant', comingSoon ? comingSoonText : loginFailed)
  const token = await services.db.transaction(async (tx) =>
    (await noteUse(tx, services, passkey.passkey_id, verified))
      ? signIn(tx, services, account_id, callers, passkey.passkey_id)
      : null,
  )
  // Removed meanwhile, or used by another with this counter.
  if (token === null) return refused('counter', account_id)
  await tries.right()
  services.security.record('sign_in.succeeded', { account: account_id, how: 'passkey' })
  return { ok: true, token }
}
