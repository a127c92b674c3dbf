import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Clock, Random } from '../ports/clock.ts'

export const systemClock: Clock = { now: () => Date.now() }

/** Creates a clock that starts at `instant` (epoch milliseconds) and runs at normal speed. */
export function clockAt(instant: number): Clock {
  const start = performance.now()
  return { now: () => instant + Math.floor(performance.now() - start) }
}

export const systemRandom: Random = {
  integer: (low, high) => randomInt(low, high + 1),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  uuid: () => randomUUID(),
}
