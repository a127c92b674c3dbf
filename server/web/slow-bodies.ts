/**
 * Requests whose body is still on its way. They do nothing yet, so they take no place among those that are worked on, and
 * whoever only begins to send keeps nobody out: some time is given to all, more to a few at once from one address.
 */
import type { IncomingMessage } from 'node:http'

export interface ArrivalBounds {
  /** A body has this long to come before it counts as slow, milliseconds. */
  promptMs: number
  /** One that brings so many bytes in that time goes on coming. */
  flowingBytes: number
  /** Slow bodies at once from one address: a household's or an office's uploads. */
  mostSlowOfOne: number
  /** Slow bodies at once from everywhere. */
  mostSlow: number
}

const arrivalBounds: ArrivalBounds = { promptMs: 2_000, flowingBytes: 256 * 1024, mostSlowOfOne: 16, mostSlow: 128 }

export class SlowBodies {
  readonly #bounds: ArrivalBounds
  readonly #slowOf = new Map<string, number>()
  #prompt = 0
  #slow = 0

  constructor(bounds: ArrivalBounds = arrivalBounds) {
    this.#bounds = bounds
  }

  /** Requests whose body may still come promptly. */
  get prompt(): number {
    return this.#prompt
  }

  /** Whether a body comes with the request. */
  static brings({ headers }: IncomingMessage): boolean {
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  }

  /**
   * Counts a request until its body has been read.
   * @param from whose it is: of one sender only so many may be slow
   * @param on.read its body has been read: the work begins
   * @param on.refuse it is one slow body too many
   * @returns to be called when the request is answered, read or not
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
      // All of it may have come, and wait for us.
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
      // Judged once the sockets have been read: where it was we who stood still, what came meanwhile lies there.
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
