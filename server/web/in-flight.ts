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

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, by: 1 | -1): void {
    const now = this.of(name) + by
    if (now > 0) this.#counts.set(name, now)
    else this.#counts.delete(name)
  }
}

/** Counts requests in progress and admits new ones within the limits. */
export class InFlight {
  readonly slowBodies = new SlowBodies()
  readonly #metrics: Metrics
  readonly #shares = new Counts()
  readonly #reservedOf = new Counts()
  #count = 0
  #reserved = 0

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  get count(): number {
    return this.#count
  }

  isFull(hasBody = false): boolean {
    return this.#count + (hasBody ? this.slowBodies.prompt : 0) >= MAX_IN_FLIGHT
  }

  /**
   * Admits a request or refuses it.
   * @param from network of the client; null if all visitors appear to have the same one
   * @param request.isReserved whether the request belongs to a payment or the office
   * @returns a function to call after the response; null if there are too many requests
   */
  admit(from: string | null, request: { hasBody: boolean; isReserved: boolean }): (() => void) | null {
    const hasPlace = !this.isFull(request.hasBody) && (from === null || this.#shares.of(from) < MAX_PER_NETWORK)
    if (!hasPlace && !(request.isReserved && this.#hasReserve(from))) return null
    this.#take(from, hasPlace, 1)
    return () => this.#take(from, hasPlace, -1)
  }

  #hasReserve(from: string | null): boolean {
    return this.#reserved < RESERVED && (from === null || this.#reservedOf.of(from) < RESERVED_PER_NETWORK)
  }

  #take(from: string | null, hasPlace: boolean, by: 1 | -1): void {
    if (!hasPlace) this.#reserved += by
    if (from !== null) (hasPlace ? this.#shares : this.#reservedOf).add(from, by)
  }

  enter(): () => void {
    this.#add(1)
    return () => this.#add(-1)
  }

  #add(by: 1 | -1): void {
    this.#count += by
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

/** Tracks requests whose bodies are still arriving: they take no capacity; slow ones are limited per sender and in total. */
export class SlowBodies {
  readonly #bounds: SlowBodyLimits
  readonly #slowOf = new Counts()
  #prompt = 0
  #slow = 0

  constructor(bounds: SlowBodyLimits = arrivalBounds) {
    this.#bounds = bounds
  }

  get prompt(): number {
    return this.#prompt
  }

  static brings({ headers }: IncomingMessage): boolean {
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  }

  /**
   * Tracks a request while its body arrives.
   * @param from the sender's network
   * @param on.read called when the body has arrived
   * @param on.refuse called when there are too many slow bodies
   * @returns a function that ends the tracking
   */
  begin(request: IncomingMessage, from: string, on: { read(): void; refuse(): void }): () => void {
    let state: 'prompt' | 'slow' | 'over' = 'prompt'
    let before = 0
    let timer: NodeJS.Timeout | undefined
    this.#prompt += 1
    const leave = () => {
      if (state === 'prompt') this.#prompt -= 1
      if (state === 'slow') this.#countSlow(from, -1)
      state = 'over'
      clearTimeout(timer)
      request.off('end', read)
    }
    const read = () => {
      leave()
      on.read()
    }
    const judge = () => {
      // The body may have arrived while the process was busy.
      if (state !== 'prompt' || request.complete) return
      if (request.socket.bytesRead - before >= this.#bounds.flowingBytes) return wait()
      const { maxSlow, maxSlowPerSender } = this.#bounds
      const isTooMany = this.#slow >= maxSlow || this.#slowOf.of(from) >= maxSlowPerSender
      leave()
      if (isTooMany) return on.refuse()
      state = 'slow'
      this.#countSlow(from, 1)
      request.once('end', read)
    }
    const wait = () => {
      before = request.socket.bytesRead
      // Judges after the sockets were read: if the process was busy, the bytes are waiting there.
      timer = setTimeout(() => setImmediate(judge), this.#bounds.promptMs)
      timer.unref()
    }
    wait()
    request.once('end', read)
    return leave
  }

  #countSlow(from: string, by: 1 | -1): void {
    this.#slow += by
    this.#slowOf.add(from, by)
  }
}
