import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Clock, Random } from '../ports/clock.ts'

/** The machine's own clock and randomness. Only the server hands these out; everything else is given them. */

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that shows `instant` (epoch milliseconds) now and runs on from there, whatever the machine's own may show. */
export function clockAt(instant: number): Clock {
  // The steady clock: setting the machine's time does not move ours.
  const start = performance.now()
  return { now: () => instant + Math.floor(performance.now() - start) }
}

/** Cryptographic randomness: fit for identifiers, tokens and codes. */
export const systemRandom: Random = {
  integer: (low, high) => randomInt(low, high + 1),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  uuid: () => randomUUID(),
}
