/**
 * A clock that follows the machine's clock, or the database's once set, but ignores it while it is more than three days
 * off. Meanwhile the clock continues by the monotonic clock.
 */
import { DAY } from '../domain/durations.ts'
import type { Clock } from '../ports/clock-and-random.ts'

export const LONGEST_JUMP_MS = 3 * DAY

interface SteadyParts {
  /** Monotonic clock, in milliseconds. */
  monotonic?: () => number
}

export class SteadyClock implements Clock {
  readonly #machine: () => number
  readonly #monotonic: () => number
  #base: number
  #basedAt: number
  #followsDatabase = false

  /** @param machine the machine's clock, in epoch milliseconds, which may be set wrong */
  constructor(machine: () => number, { monotonic = () => performance.now() }: SteadyParts = {}) {
    this.#machine = machine
    this.#monotonic = monotonic
    this.#base = machine()
    this.#basedAt = monotonic()
  }

  now(): number {
    if (!this.#followsDatabase) this.#follow(this.#machine())
    return Math.floor(this.#steady())
  }

  /**
   * Sets the clock by the database's time and stops following the machine's. The first call accepts any time; later
   * calls ignore one that is more than three days off.
   * @param instant the database's time, in epoch milliseconds
   */
  follow(instant: number): void {
    if (this.#followsDatabase) this.#follow(instant)
    else this.#rebase(instant)
    this.#followsDatabase = true
  }

  #steady(): number {
    return this.#base + this.#monotonic() - this.#basedAt
  }

  #follow(instant: number): void {
    if (Math.abs(instant - this.#steady()) <= LONGEST_JUMP_MS) this.#rebase(instant)
  }

  #rebase(instant: number): void {
    this.#base = instant
    this.#basedAt = this.#monotonic()
  }
}
