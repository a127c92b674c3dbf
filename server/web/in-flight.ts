import type { IncomingMessage } from 'node:http'
import type { Metrics } from '../metrics.ts'

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
  readonly #slowOf = new Map<string, number>()
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
      const isTooMany = this.#slow >= mostSlow || (this.#slowOf.get(from) ?? 0) >= mostSlowOfOne
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
    const now = (this.#slowOf.get(from) ?? 0) + by
    if (now > 0) this.#slowOf.set(from, now)
    else this.#slowOf.delete(from)
  }
}
