import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Clock, Random } from '../ports/clock-and-random.ts'

export const systemClock: Clock = { now: () => Date.now() }

/** Creates a clock that runs at normal speed and showed `instant` (epoch milliseconds) when the process started. */
export const clockAt = (instant: number): Clock => ({ now: () => instant + Math.floor(performance.now()) })

export const systemRandom: Random = {
  integer: (low, high) => randomInt(low, high + 1),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  uuid: () => randomUUID(),
}
