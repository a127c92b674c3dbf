/** WebAuthn challenges: stored in the database, so that any process can check a response; bound to a browser; used once. */

import type { Kysely } from 'kysely'
import { MINUTE } from '../../domain/durations.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'

/** Lifetime of a challenge; a form may wait that long for a passkey. */
export const CHALLENGE_MS = 10 * MINUTE

/** Purpose and owner to which a challenge is bound. */
export interface ChallengeBinding {
  browser: string
  purpose: 'add' | 'sign-in' | 'office' | 'office add'
  subject: string | null
}

/** Creates and stores a challenge. @returns 32 random bytes, base64url */
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

/** Deletes a challenge, whatever the result. @returns whether it was valid for this browser, purpose and subject */
export async function consumeChallenge(
  services: Services,
  challenge: string,
  boundTo: ChallengeBinding,
): Promise<boolean> {
  const used = await services.db.write
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('browser', '=', boundTo.browser)
    .where('purpose', '=', boundTo.purpose)
    .where((eb) => (boundTo.subject === null ? eb('subject', 'is', null) : eb('subject', '=', boundTo.subject)))
    .where('expires_at', '>', services.clock.now())
    .returning('challenge')
    .executeTakeFirst()
  return used !== undefined
}

export async function deleteExpiredChallenges(services: Services): Promise<number> {
  const deleted = await services.db.write
    .deleteFrom('passkey_challenges')
    .where('expires_at', '<=', services.clock.now())
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes a subject's open challenges for a new passkey, in the caller's transaction. */
export const deleteChallengesOf = (tx: Kysely<Tables>, subject: string): Promise<unknown> =>
  tx.deleteFrom('passkey_challenges').where('subject', '=', subject).execute()
