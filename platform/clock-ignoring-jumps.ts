/**
 * A clock that ignores jumps: if its source jumps by more than three days, it continues evenly until the process
 * restarts.
 */
import { DAY } from '../domain/durations.ts'
import type { Clock } from '../ports/clock.ts'

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
   * Sets the clock by the database's time and stops following the machine's. The first time is always accepted.
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
