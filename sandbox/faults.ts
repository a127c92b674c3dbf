import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Order } from './provider-ledger.ts'
import { isSameSecret, readJson } from './request-body.ts'
import { GARBAGE, json, type RouteResponse } from './responses.ts'
import type { TestCard } from './test-cards.ts'

/** Kinds of faults that a request can meet. */
export const FAULT_KINDS = ['down', 'slow', 'garbage', '500', 'lost', 'repeat'] as const
/** Requests that a fault can be set for; 'any' leaves out gates. */
export const FAULT_PLACES = [
  'any',
  'create',
  'query',
  'sale',
  'void',
  'return',
  'list',
  'page',
  'bank',
  'gate',
] as const
type FaultKind = (typeof FAULT_KINDS)[number]

export type FaultPlace = (typeof FAULT_PLACES)[number]

/** Faults of a gate controller, set with `on: 'gate'` and the facility's code, or '*' for all, as `orderId`. */
const GATE_FAULTS = ['down', 'slow', 'lost', 'repeat'] as const
export type GateFault = (typeof GATE_FAULTS)[number]

interface Fault {
  orderId: string
  kind: FaultKind
  on: FaultPlace
  times: number
}

const MAX_FAULTS = 1000
const MAX_TIMES = 1000

export class Faults {
  readonly #slowMs: number
  readonly #key: string | undefined
  readonly #closing: AbortSignal
  #faults: Fault[] = []

  /**
   * @param key bearer token of `POST /sandbox/faults`; without a key no faults can be set
   * @param closing ends delays
   */
  constructor(slowMs: number, key: string | undefined, closing: AbortSignal) {
    this.#slowMs = slowMs
    this.#key = key
    this.#closing = closing
  }

  wait(): Promise<void> {
    return delay(this.#slowMs, undefined, { signal: this.#closing })
  }

  /**
   * Handles a request with `work`, and with a fault if one was set for the request: a broken connection, an error, or a
   * slow, lost or garbled response.
   */
  async apply(
    place: FaultPlace,
    orderId: string,
    work: () => RouteResponse | Promise<RouteResponse>,
  ): Promise<RouteResponse> {
    const fault = this.#take(place, orderId)
    if (fault === 'down') return 'cut'
    if (fault === '500') return { status: 500, type: 'text/plain; charset=utf-8', body: 'Internal error' }
    if (fault === 'slow') await this.wait()
    const response = await work()
    if (fault === 'lost') return 'cut'
    if (fault === 'garbage') return { status: 200, type: 'text/html; charset=utf-8', body: GARBAGE }
    return response
  }

  /** Runs a charge with the test card's behavior around the capture. */
  async charge(card: TestCard, work: () => Order | null): Promise<Order | null | 'cut'> {
    if (card.slow) await this.wait()
    if (card.cutsConnection === 'before') return 'cut'
    const order = work()
    return card.cutsConnection === 'after' ? 'cut' : order
  }

  checkKey(request: IncomingMessage): RouteResponse | null {
    if (this.#key === undefined) return json({ error: 'faults are switched off' }, 404)
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${this.#key}`))
      return json({ error: 'the fault key is missing or wrong' }, 401)
    return null
  }

  /** Handles a test's request to set a fault (POST) or to clear all faults (DELETE). */
  async handleFaultRequest(request: IncomingMessage): Promise<RouteResponse> {
    const refusal = this.checkKey(request)
    if (refusal) return refusal
    if (request.method === 'DELETE') {
      this.#faults = []
      return json({ faults: this.#faults })
    }
    const body = await readJson<Record<keyof Fault, unknown>>(request)
    if (body === null) return json({ error: 'not JSON' }, 400)
    const { orderId, kind, times = 1, on = 'any' } = body
    const isValid =
      typeof orderId === 'string' &&
      FAULT_KINDS.includes(kind as FaultKind) &&
      FAULT_PLACES.includes(on as FaultPlace) &&
      (kind !== 'repeat' || on === 'gate') &&
      (on !== 'gate' || (GATE_FAULTS as readonly unknown[]).includes(kind)) &&
      Number.isInteger(times) &&
      (times as number) >= 1 &&
      (times as number) <= MAX_TIMES &&
      this.#faults.length < MAX_FAULTS
    if (!isValid) return json({ error: 'orderId, kind, times (1 to 1000) or on is not understood' }, 400)
    this.#faults.push({ orderId, kind: kind as FaultKind, on: on as FaultPlace, times: times as number })
    return json({ faults: this.#faults }, 201)
  }

  /** Takes the fault that was set for a gate's next contact; null if there is none. */
  takeForGate(facility: string): GateFault | null {
    return this.#take('gate', facility) as GateFault | null
  }

  #take(place: FaultPlace, orderId: string): FaultKind | null {
    const isHere = ({ on }: Fault) => on === place || (on === 'any' && place !== 'gate')
    const fault = this.#faults.find(
      (candidate) => isHere(candidate) && (candidate.orderId === '*' || candidate.orderId === orderId),
    )
    if (!fault) return null
    fault.times--
    if (fault.times === 0) this.#faults = this.#faults.filter((candidate) => candidate !== fault)
    return fault.kind
  }
}
