/** Challenges of the ceremony: in the database, so that any process may check an answer; bound to a browser; used once. */
import type { Kysely } from 'kysely'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'

/** How long an answer may take: a dialog of the browser's, and a form that waits for a passkey. */
export const CHALLENGE_MS = 10 * 60 * 1000

export interface ChallengeOf {
  browser: string
  purpose: 'add' | 'sign-in' | 'office' | 'office add'
  subject: string | null
}

/** @returns 32 random bytes, base64url */
export async function issueChallenge(services: Services, { browser, purpose, subject }: ChallengeOf): Promise<string> {
  const challenge = Buffer.from(services.random.hex(32), 'hex').toString('base64url')
  const expires_at = services.clock.now() + CHALLENGE_MS
  await services.db.write
    .insertInto('passkey_challenges')
    .values({ challenge, browser, purpose, subject, expires_at })
    .execute()
  return challenge
}

/** Uses up a challenge, whatever comes of the answer. @returns whether it was this browser's, for this, and still good */
export async function consumeChallenge(services: Services, challenge: string, of: ChallengeOf): Promise<boolean> {
  const used = await services.db.write
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('browser', '=', of.browser)
    .where('purpose', '=', of.purpose)
    .where((eb) => (of.subject === null ? eb('subject', 'is', null) : eb('subject', '=', of.subject)))
    .where('expires_at', '>', services.clock.now())
    .returning('challenge')
    .executeTakeFirst()
  return used !== undefined
}

export async function deleteExpiredChallenges(services: Services): Promise<number> {
  const gone = await services.db.write
    .deleteFrom('passkey_challenges')
    .where('expires_at', '<=', services.clock.now())
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

/** Deletes the open challenges for a new passkey of the subject. In the caller's transaction. */
export const deleteChallengesOf = (tx: Kysely<Tables>, subject: string): Promise<unknown> =>
  tx.deleteFrom('passkey_challenges').where('subject', '=', subject).execute()
