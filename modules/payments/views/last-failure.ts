import type { Services } from '../../../platform/operations/services.ts'
import { type AttemptSubject, attemptsOf, type Failure, failureOf } from '../failed-attempts-and-last-failure.ts'

/**
 * Loads why paying failed (spec 1 §8, spec 2 §8); null if it did not.
 * @param which 'last': the newest order, if declined; 'any': the newest declined order, even if another is open
 */
export async function loadLastFailure(
  services: Services,
  subject: AttemptSubject,
  which: 'last' | 'any',
): Promise<Failure | null> {
  const attempts = services.db.read
    .selectFrom('payments')
    .selectAll()
    .where(attemptsOf(subject))
    .orderBy('created_at', 'desc')
    .limit(1)
  const last = await (which === 'any' ? attempts.where('state', '=', 'declined') : attempts).executeTakeFirst()
  return last ? failureOf(last) : null
}
