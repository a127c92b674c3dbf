import { checkAndCountGuess, type Guess } from '../../../platform/operations/brute-force-limits.ts'
import type { Refusal } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'

/**
 * Counts a look-up under the fingerprint of its target, since visitors type anything into the form, even card numbers.
 * @returns the refusal once the limit is reached, else null
 */
export const countLookup = (services: Services, guess: Guess, target: string): Promise<Refusal | null> =>
  checkAndCountGuess(services, guess, { name: `look-up:${services.sealer.fingerprint(target, 'limit')}` })
