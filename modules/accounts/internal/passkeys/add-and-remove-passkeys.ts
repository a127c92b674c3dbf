/**
 * Adds passkeys to accounts and removes them (docs/decisions/signing-in.md). passkey-ceremony.ts has the WebAuthn
 * ceremony, store.ts the records.
 */

import { passkeyNotAdded } from '../../../../domain/texts/account.ts'
import { tokenHash } from '../../../../platform/encryption/token-hash.ts'
import type { Refusal } from '../../../../platform/operations/outcome.ts'
import { refuse } from '../../../../platform/operations/outcome.ts'
import type { Services } from '../../../../platform/operations/services.ts'
import { type RelyingParty, readAttestation, verifyCreation } from '../../../../platform/passkeys/passkey-ceremony.ts'
import { consumeChallenge } from '../../../../platform/passkeys/passkey-challenges.ts'
import { insertPasskey, removePasskey } from '../../passkeys/store.ts'
import { refuseExpired, refuseFull, refuseUnreadable } from './passkey-refusals.ts'

/** Account that adds a passkey, and the random id of the browser used, from its session. */
export interface PasskeyRegistration {
  accountId: string
  browser: string
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
