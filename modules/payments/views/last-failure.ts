import type { Services } from '../../../platform/operations/services.ts'
import { attemptsOf, countFailedAttempts, type Failure, failureOf } from '../order-outcome-and-attempts.ts'
import type { AttemptSubject } from '../rules/attempt-count-subject.ts'
import { retriesUsedUp } from '../rules/retry-notice-after-declines.ts'

/**
 * Loads the failure of an attempt to pay (spec 1 §8, spec 2 §8); null without one.
 * @param which 'last': of the newest order, if it was declined; 'any': of the newest declined order, whatever followed
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

/** Returns whether the retry notice is shown: the latest attempt failed, and too many were declined (spec 1 §4). */
export const areRetriesUsedUp = async (
  services: Services,
  subject: AttemptSubject,
  latestFailure: Failure | null,
): Promise<boolean> => latestFailure !== null && retriesUsedUp(await countFailedAttempts(services, subject))
