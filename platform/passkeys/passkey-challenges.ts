/**
 * WebAuthn challenges. They are stored in the database, so that any process can check a response; each is bound to a
 * browser and used once.
 */

import type { Kysely } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'

/** Lifetime of a challenge in milliseconds: how long a form may wait for a passkey. */
export const CHALLENGE_MS = 10 * MINUTE

/** Browser, purpose and owner to which a challenge is bound. */
export interface ChallengeBinding {
  /** Random id of the browser: from its session for an account, from the office's device cookie for a staff member. */
  browser: string
  purpose: 'add' | 'sign-in' | 'office' | 'office add'
  /** Account or staff member that uses the passkey; null if not known before the sign-in. */
  subject: string | null
}

/**
 * Creates and stores a challenge.
 * @returns 32 random bytes, base64url
 */
export async function issueChallenge(
  services: Services,
  { browser, purpose, subject }: ChallengeBinding,
): Promise<string> {
  const challenge = Buffer.from(services.random.hex(32), 'hex').toString('base64url')
  const expires_at = services.clock.now() + CHALLENGE_MS
  await services.db.write
    .insertInto('passkey_challenges')
    .values({ challenge, browser, purpose, subject, expires_at })
    .execute()
  return challenge
}

/**
 * Deletes a challenge if it is valid, so that it cannot be used again even if the response proves wrong.
 * @returns whether it existed, had not expired and was bound to this browser, purpose and subject
 */
export async function consumeChallenge(
  services: Services,
  challenge: string,
  binding: ChallengeBinding,
): Promise<boolean> {
  const deletedChallenge = await services.db.write
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('browser', '=', binding.browser)
    .where('purpose', '=', binding.purpose)
    .where((eb) => (binding.subject === null ? eb('subject', 'is', null) : eb('subject', '=', binding.subject)))
    .where('expires_at', '>', services.clock.now())
    .returning('challenge')
    .executeTakeFirst()
  return deletedChallenge !== undefined
}

/**
 * Deletes expired challenges.
 * @returns the number of deleted challenges
 */
export async function deleteExpiredChallenges(services: Services): Promise<number> {
  const deleted = await services.db.write
    .deleteFrom('passkey_challenges')
    .where('expires_at', '<=', services.clock.now())
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes all challenges bound to a subject, in the caller's transaction. */
export const deleteChallengesOf = (tx: Kysely<Tables>, subject: string): Promise<unknown> =>
  tx.deleteFrom('passkey_challenges').where('subject', '=', subject).execute()
