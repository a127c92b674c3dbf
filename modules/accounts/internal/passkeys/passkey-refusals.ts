import { passkeyExpired, passkeysFull } from '../../../../domain/texts/account.ts'
import { formUnreadable } from '../../../../domain/texts/general-errors.ts'
import { tooManyTries } from '../../../../domain/texts/too-many-attempts.ts'
import { type Refusal, refuse } from '../../../../platform/operations/outcome.ts'
import type { Services } from '../../../../platform/operations/services.ts'
import type { Limit } from '../../../../platform/rate-limit-counters.ts'

export const refuseUnreadable = () => refuse(400, 'invalid_input', formUnreadable)
export const refuseExpired = () => refuse(400, 'expired', passkeyExpired)
export const refuseFull = () => refuse(409, 'full', passkeysFull)

/**
 * Limit on passkey challenges. It is high, since each view of the log-in page requests one if the browser autofills
 * passkeys.
 */
export const challengeLimit: Limit = { points: 300, perSeconds: 900 }

/** Counts an attempt from an IP address. Returns the refusal once the limit is reached, else null. */
export async function countPasskeyAttempt(
  services: Services,
  address: string,
  attempt: string,
  limit: Limit,
): Promise<Refusal | null> {
  const limitResult = await services.limits.consumeFrom(address, attempt, limit)
  if (limitResult.allowed) return null
  services.security.record('limit.reached', { operation: attempt })
  return refuse(429, 'too_many', tooManyTries(limitResult.retryAfterSeconds), {
    retryAfter: limitResult.retryAfterSeconds,
  })
}
