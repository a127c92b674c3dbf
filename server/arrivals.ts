/**
 * Requests whose body is still on its way. They do nothing yet, so they take no place among those that are worked on, and
 * whoever only begins to send keeps nobody out: some time is given to all, more to a few at once from one address.
 */
import type { IncomingMessage } from 'node:http'

export interface ArrivalBounds {
  /** A body has this long before it counts as slow, milliseconds. */
  promptMs: number
  /** Slow bodies at once from one address: a household's or an office's uploads. */
  mostSlowOfOne: number
  /** Slow bodies at once from everywhere. */
  mostSlow: number
}

const arrivalBounds: ArrivalBounds = { promptMs: 2_000, mostSlowOfOne: 16, mostSlow: 128 }

export class Arrivals {
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
    const timer = setTimeout(() => {
      // All of it has come, and waits for us.
      if (request.complete) return
      const { mostSlow, mostSlowOfOne } = this.#bounds
      const isTooMany = this.#slow >= mostSlow || (this.#slowOf.get(from) ?? 0) >= mostSlowOfOne
      leave()
      if (isTooMany) return on.refuse()
      state = 'slow'
      this.#countSlow(from, 1)
      request.once('end', read)
    }, this.#bounds.promptMs)
    timer.unref()
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
