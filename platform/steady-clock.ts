/** A clock that goes on evenly: a source that jumps by more than three days is not followed until the process starts again. */
import type { Clock } from '../ports/clock.ts'

export const LONGEST_JUMP_MS = 3 * 86_400_000

interface SteadyParts {
  /** Milliseconds that no setting of the clock moves. */
  monotonic?: () => number
}

export class SteadyClock implements Clock {
  readonly #machine: () => number
  readonly #monotonic: () => number
  #base: number
  #basedAt: number
  #ofDatabase = false

  /** @param machine epoch milliseconds, which a person may set */
  constructor(machine: () => number, { monotonic = () => performance.now() }: SteadyParts = {}) {
    this.#machine = machine
    this.#monotonic = monotonic
    this.#base = machine()
    this.#basedAt = monotonic()
  }

  now(): number {
    if (!this.#ofDatabase) this.#follow(this.#machine())
    return Math.floor(this.#steady())
  }

  /**
   * From now on the database's time counts, and the machine's no more. The first one is believed whatever the machine says.
   * @param at epoch milliseconds of the database
   */
  follow(at: number): void {
    if (this.#ofDatabase) this.#follow(at)
    else this.#rebase(at)
    this.#ofDatabase = true
  }

  #steady(): number {
    return this.#base + this.#monotonic() - this.#basedAt
  }

  #follow(at: number): void {
    if (Math.abs(at - this.#steady()) <= LONGEST_JUMP_MS) this.#rebase(at)
  }

  #rebase(at: number): void {
    this.#base = at
    this.#basedAt = this.#monotonic()
  }
}
