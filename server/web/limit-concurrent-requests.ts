import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../metrics.ts'

/** Maximum concurrent requests; more are answered 503, so that the others finish in time. */
const MAX_IN_FLIGHT = 256
/** Maximum concurrent requests of one network, arriving bodies included. */
const MAX_PER_NETWORK = 64
/**
 * Number of concurrent requests for payments and the office that the server accepts beyond its limit, and the share of
 * one network in them.
 */
const RESERVED = 32
const RESERVED_PER_NETWORK = 8

class Counts {
  readonly #counts = new Map<string, number>()

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, change: 1 | -1): void {
    const count = this.get(name) + change
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
  }
}

/** Counts requests in progress and admits new ones within the limits. */
export class InFlight {
  readonly slowBodies = new SlowBodies()
  readonly #metrics: Metrics
  readonly #byNetwork = new Counts()
  readonly #reservedByNetwork = new Counts()
  #count = 0
  #reserved = 0

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  get count(): number {
    return this.#count
  }

  /** Returns whether a further request would exceed the limit. @param hasBody counts bodies that arrive promptly too */
  isFull(hasBody = false): boolean {
    return this.#count + (hasBody ? this.slowBodies.prompt : 0) >= MAX_IN_FLIGHT
  }

  /**
   * Admits a request or refuses it.
   * @param network the client's network; null if all visitors appear to have the same one
   * @param request.isReserved whether the request belongs to a payment or the office
   * @returns a function to call after the response; null if there are too many requests
   */
  admit(network: string | null, request: { hasBody: boolean; isReserved: boolean }): (() => void) | null {
    const hasPlace =
      !this.isFull(request.hasBody) && (network === null || this.#byNetwork.get(network) < MAX_PER_NETWORK)
    if (!hasPlace && !(request.isReserved && this.#hasReserve(network))) return null
    this.#countPlace(network, hasPlace, 1)
    return () => this.#countPlace(network, hasPlace, -1)
  }

  #hasReserve(network: string | null): boolean {
    return (
      this.#reserved < RESERVED && (network === null || this.#reservedByNetwork.get(network) < RESERVED_PER_NETWORK)
    )
  }

  #countPlace(network: string | null, hasPlace: boolean, change: 1 | -1): void {
    if (!hasPlace) this.#reserved += change
    if (network !== null) (hasPlace ? this.#byNetwork : this.#reservedByNetwork).add(network, change)
  }

  /** Counts a request that has no body, or whose body has arrived. @returns a function that ends the count */
  enter(): () => void {
    this.#add(1)
    return () => this.#add(-1)
  }

  #add(change: 1 | -1): void {
    this.#count += change
    this.#metrics.inFlight.set(this.#count)
  }
}

export interface SlowBodyLimits {
  /** Milliseconds after which an incomplete body counts as slow. */
  promptMs: number
  /** A body is not slow while this many bytes arrive in that time. */
  flowingBytes: number
  maxSlowPerSender: number
  maxSlow: number
}

const arrivalBounds: SlowBodyLimits = { promptMs: 2_000, flowingBytes: 256 * 1024, maxSlowPerSender: 16, maxSlow: 128 }

/**
 * Tracks requests whose bodies are still arriving. They do not count against `MAX_IN_FLIGHT` for requests without a
 * body; slow ones are limited per sender and in total.
 */
export class SlowBodies {
  readonly #bounds: SlowBodyLimits
  readonly #slowByNetwork = new Counts()
  #prompt = 0
  #slow = 0

  constructor(bounds: SlowBodyLimits = arrivalBounds) {
    this.#bounds = bounds
  }

  /** Number of requests whose bodies are arriving and are not slow. */
  get prompt(): number {
    return this.#prompt
  }

  /**
   * Tracks a request while its body arrives.
   * @param network the sender's network; null if all visitors appear to have the same one
   * @param on.read called when the body has arrived
   * @param on.refuse called when there are too many slow bodies
   * @returns a function that ends the tracking
   */
  begin(request: IncomingMessage, network: string | null, on: { read(): void; refuse(): void }): () => void {
    let state: 'prompt' | 'slow' | 'over' = 'prompt'
    let bytesBefore = 0
    let timer: NodeJS.Timeout | undefined
    this.#prompt += 1
    const leave = () => {
      if (state === 'prompt') this.#prompt -= 1
      if (state === 'slow') this.#countSlow(network, -1)
      state = 'over'
      clearTimeout(timer)
      request.off('end', read)
    }
    const read = () => {
      leave()
      on.read()
    }
    const checkSpeed = () => {
      // The body may have arrived while the process was busy.
      if (state !== 'prompt' || request.complete) return
      if (request.socket.bytesRead - bytesBefore >= this.#bounds.flowingBytes) return wait()
      const { maxSlow, maxSlowPerSender } = this.#bounds
      const slowOfSender = network === null ? 0 : this.#slowByNetwork.get(network)
      const isTooMany = this.#slow >= maxSlow || slowOfSender >= maxSlowPerSender
      leave()
      if (isTooMany) return on.refuse()
      state = 'slow'
      this.#countSlow(network, 1)
      request.once('end', read)
    }
    const wait = () => {
      bytesBefore = request.socket.bytesRead
      // Judges after the sockets were read: if the process was busy, the bytes are waiting in them.
      timer = setTimeout(() => setImmediate(checkSpeed), this.#bounds.promptMs)
      timer.unref()
    }
    wait()
    request.once('end', read)
    return leave
  }

  #countSlow(network: string | null, change: 1 | -1): void {
    this.#slow += change
    if (network !== null) this.#slowByNetwork.add(network, change)
  }
}
