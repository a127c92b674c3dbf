import type { Metrics } from '../metrics.ts'
import { SlowBodies } from './slow-bodies.ts'

/** Requests at once; further ones get 503, so that those inside finish in time. */
const MAX_IN_FLIGHT = 256

/** Counts the requests that are worked on, and those whose body is still on its way. */
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

  /** @param hasBody of a request whose body has not come yet */
  isFull(hasBody = false): boolean {
    return this.#count + (hasBody ? this.slowBodies.prompt : 0) >= MAX_IN_FLIGHT
  }

  /** @returns to be called when the request is answered */
  enter(): () => void {
    this.#add(1)
    return () => this.#add(-1)
  }

  #add(by: 1 | -1): void {
    this.#count += by
    this.#metrics.inFlight.set(this.#count)
  }
}
