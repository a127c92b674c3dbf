import type { Metrics } from '../metrics.ts'
import { SlowBodies } from './slow-bodies.ts'

/** Beyond this 503, so that those inside finish in time. */
const MAX_IN_FLIGHT = 256

export class InFlight {
  readonly slowBodies = new SlowBodies()
  readonly #metrics: Metrics
  #count = 0

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  get count(): number {
    return this.#count
  }

  isFull(hasBody = false): boolean {
    return this.#count + (hasBody ? this.slowBodies.prompt : 0) >= MAX_IN_FLIGHT
  }

  /** @returns what leaves */
  enter(): () => void {
    this.#add(1)
    return () => this.#add(-1)
  }

  #add(by: 1 | -1): void {
    this.#count += by
    this.#metrics.inFlight.set(this.#count)
  }
}
