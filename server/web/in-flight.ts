import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../metrics.ts'

/** Beyond this 503, so that those inside finish in time. */
const MAX_IN_FLIGHT = 256
/** Of one network, those included whose bodies still arrive, so that it takes no place of others. */
const MOST_OF_ONE = 64
/** Further places for payments and the office, when there are no others; a few of them for each network. */
const RESERVED = 32
const RESERVED_OF_ONE = 8

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
   * Admits a request, from its first byte on. @param from its network; null where all visitors look alike
   * @param asked.isReserved of a payment or the office. @returns what to call once it is answered; null where it is one too many
   */
  admit(from: string | null, asked: { hasBody: boolean; isReserved: boolean }): (() => void) | null {
    const hasPlace = !this.isFull(asked.hasBody) && (from === null || this.#shares.of(from) < MOST_OF_ONE)
    if (!hasPlace && !(asked.isReserved && this.#hasReserve(from))) return null
    this.#take(from, hasPlace, 1)
    return () => this.#take(from, hasPlace, -1)
  }

  #hasReserve(from: string | null): boolean {
    return this.#reserved < RESERVED && (from === null || this.#reservedOf.of(from) < RESERVED_OF_ONE)
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

export interface ArrivalBounds {
  /** Until a body counts as slow, milliseconds. */
  promptMs: number
  flowingBytes: number
  mostSlowOfOne: number
  mostSlow: number
}

const arrivalBounds: ArrivalBounds = { promptMs: 2_000, flowingBytes: 256 * 1024, mostSlowOfOne: 16, mostSlow: 128 }

/** Bodies still arriving take no place among those worked on; slow ones are bounded per address and in all. */
export class SlowBodies {
  readonly #bounds: ArrivalBounds
  readonly #slowOf = new Counts()
  #prompt = 0
  #slow = 0

  constructor(bounds: ArrivalBounds = arrivalBounds) {
    this.#bounds = bounds
  }

  get prompt(): number {
    return this.#prompt
  }

  static brings({ headers }: IncomingMessage): boolean {
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  }

  /**
   * @param from the sender, who may have only a few. @param on.read the body is read: work begins. @param
   * on.refuse one slow body too many. @returns what ends it
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
      // It may have arrived and wait for us.
      if (state !== 'prompt' || request.complete) return
      if (request.socket.bytesRead - before >= this.#bounds.flowingBytes) return wait()
      const { mostSlow, mostSlowOfOne } = this.#bounds
      const isTooMany = this.#slow >= mostSlow || this.#slowOf.of(from) >= mostSlowOfOne
      leave()
      if (isTooMany) return on.refuse()
      state = 'slow'
      this.#countSlow(from, 1)
      request.once('end', read)
    }
    const wait = () => {
      before = request.socket.bytesRead
      // After the sockets are read: if we stood still, the bytes lie there.
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
