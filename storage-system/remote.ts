/**
 * The storage system on another address: the catalogue's operations called over the wire, in XML, as the caller *site* with
 * the end caller forwarded (site-caller.ts). Every write carries an idempotency key, so a call may be tried again: three
 * tries, three seconds apart (spec 1 §9). A storage system that keeps failing is left alone for a while instead of
 * holding up every visitor (circuit breaker).
 */
import { DatabaseUnavailable } from '../database/open.ts'
import { messages } from '../domain/messages.ts'
import { readXml, writeXml } from '../domain/xml.ts'
import type { Clock, Random } from '../ports/clock.ts'
import { isRecordsResource, isStorageSystems } from './catalogue.ts'
import {
  type Callers,
  type Grants,
  type Operation,
  type Outcome,
  type Refusal,
  type RefusalStatus,
  refuse,
  type StorageSystem,
} from './operation.ts'
import { signCallers, siteCallerHeader, siteGrantsHeader } from './site-caller.ts'
import { answerLimits, readXmlError, shaped } from './xml-envelope.ts'

const tries = 3
const pauseMs = 3000
/** One try; a storage system that takes longer is no better than none. */
const timeoutMs = 5000
/** A page of what changed, which may wait for a transaction that is open over there. */
const feedTimeoutMs = 15_000
/** So many failed tries in a row open the circuit. */
const failuresToOpen = 5
const openForMs = 10_000
const largestAnswer = 32 * 1024 * 1024

export type CircuitState = 'closed' | 'open' | 'half-open'

/**
 * Lets calls through until too many failed in a row, then none for a while, then one: if it succeeds, all again.
 */
export class Circuit {
  readonly #clock: Clock
  #failures = 0
  #openUntil = 0
  #probing = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get state(): CircuitState {
    if (this.#failures < failuresToOpen) return 'closed'
    return this.#clock.now() < this.#openUntil ? 'open' : 'half-open'
  }

  /** @returns 0 where a call may go, else the seconds until one may */
  enter(): number {
    const { state } = this
    if (state === 'closed') return 0
    if (state === 'open') return Math.max(1, Math.ceil((this.#openUntil - this.#clock.now()) / 1000))
    if (this.#probing) return 1
    this.#probing = true
    return 0
  }

  succeeded(): void {
    this.#failures = 0
    this.#probing = false
  }

  failed(): void {
    this.#failures += 1
    this.#probing = false
    if (this.#failures >= failuresToOpen) this.#openUntil = this.#clock.now() + openForMs
  }
}

export interface RemoteParts {
  /** Address of the other server without a trailing slash, such as https://records.example.com */
  url: string
  /** Shared with it. */
  siteKey: string
  clock: Clock
  random: Random
  pause(milliseconds: number): Promise<void>
  /** The tries that failed, for whoever watches. */
  report(error: unknown, details: Record<string, string | number>): void
  /** Counts tries by how they ended. */
  count?(outcome: 'answered' | 'failed' | 'held back'): void
  fetch?: typeof fetch
  timeoutMs?: number
  /** Of the records, where the website has a database of its own. */
  copy?: Copy
}

/** The copy of the records that a website with a database of its own reads (records-copy.ts). */
export interface Copy {
  /** Tells what only we know of and the storage system reads; nothing where it knows. Throws where that cannot be told. */
  tell(): Promise<void>
  /** Resolves once all that was written over there before the call is here as well. */
  catchUp(): Promise<void>
}

/** What the two servers say to each other about records, each at an address of its own below '/api'. */
export type Word = 'inward' | 'resource' | 'changes' | 'told'
export const wordOf = (what: Word): { operation: string; target: string } => ({
  operation: `records ${what}`,
  target: `/records/${what}`,
})

/** Asks one of those, as the website itself or for an end caller. @throws where there is no answer */
export type Ask = (what: Word, body: unknown, as?: { callers?: Callers; key?: string | undefined }) => Promise<unknown>

/** The website's own word. */
const ourselves: Callers = { address: '', agent: 'website', site: true }

type Way = Pick<RemoteParts, 'url' | 'siteKey' | 'clock' | 'fetch' | 'timeoutMs'>

/** One try: posts what is said to a door of the other server below '/api', signed. @throws TryFailed for too large an answer */
async function post(
  way: Way,
  said: {
    operation: string
    target: string
    type: string
    body: string
    callers: Callers
    key: string | undefined
    patienceMs?: number
  },
): Promise<Response> {
  const { operation, target, type, body, callers, key, patienceMs = timeoutMs } = said
  const response = await (way.fetch ?? fetch)(`${way.url}/api${target}`, {
    method: 'POST',
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(way.timeoutMs ?? patienceMs),
    headers: {
      'Content-Type': type,
      [siteCallerHeader]: signCallers(way.siteKey, callers, { operation, target, key, body }, way.clock.now()),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
  })
  if (Number(response.headers.get('content-length') ?? 0) > largestAnswer) throw new TryFailed('too large an answer')
  return response
}

export function askingRecords(way: Way): Ask {
  return async (what, said, { callers = ourselves, key } = {}) => {
    const { operation, target } = wordOf(what)
    const response = await post(way, {
      ...{ operation, target, callers, key, type: 'application/json', body: JSON.stringify(said) },
      ...(what === 'changes' && { patienceMs: feedTimeoutMs }),
    })
    if (response.status === 409) throw new TryFailed('another website has this storage system')
    if (!response.ok) throw new TryFailed(`${operation} answered ${response.status}`)
    return response.json()
  }
}

/** A try that came to nothing: not reached, too slow, a fault over there, or an answer that cannot be read. */
class TryFailed extends Error {}

const unavailable = (retryAfter: number): Refusal =>
  refuse(503, 'unavailable', messages.recordsOutOfReach, {
    retryAfter,
  })

export function remoteStorageSystem(parts: RemoteParts): StorageSystem & { readonly circuit: Circuit } {
  const circuit = new Circuit(parts.clock)

  async function once<O>(
    declared: Operation<never, O>,
    body: string,
    callers: Callers,
    key: string | undefined,
  ): Promise<Outcome<O>> {
    try {
      const response = await post(parts, {
        ...{ operation: declared.name, target: '/ssm', callers, key, body },
        type: 'application/xml; charset=utf-8',
      })
      if (response.ok) return await read(declared, response)
      return refusal(response, await response.text())
    } catch (error) {
      if (error instanceof TryFailed) throw error
      throw new TryFailed('not reached', { cause: error })
    }
  }

  const ask = askingRecords(parts)
  let isBehind = false

  /**
   * Three tries of one call. What only we know goes first, since the call may be about it; and what it changed is here before
   * anybody hears of it.
   */
  async function tried<O>(
    operation: string,
    attempted: () => Promise<Outcome<O>>,
    changes: (outcome: Outcome<O>) => boolean,
  ): Promise<Outcome<O>> {
    for (let attempt = 1; ; attempt += 1) {
      const wait = circuit.enter()
      if (wait > 0) {
        parts.count?.('held back')
        return unavailable(wait)
      }
      let underWay: Refusal | null = null
      try {
        await parts.copy?.tell()
        const outcome = await attempted()
        circuit.succeeded()
        parts.count?.('answered')
        if (parts.copy && changes(outcome))
          // What was done is done: where its change is not here yet it comes with the next look.
          await parts.copy.catchUp().catch((error: unknown) => parts.report(error, { operation, step: 'catching up' }))
        // The try before is still at work over there.
        if (outcome.ok || outcome.code !== 'in_progress' || attempt === 1) return outcome
        underWay = outcome
      } catch (error) {
        circuit.failed()
        parts.count?.('failed')
        parts.report(error, { operation, attempt })
      }
      if (attempt === tries) return underWay ?? unavailable(pauseMs / 1000)
      await parts.pause(pauseMs)
    }
  }

  return {
    circuit,
    runs: (name) => isStorageSystems(name) || isRecordsResource(name),
    async call<O>(declared: Operation<never, O>, raw: unknown, callers: Callers, idempotencyKey: string | undefined) {
      // A key of our own makes a write safe to send again.
      const key = declared.writes ? (idempotencyKey ?? parts.random.uuid()) : undefined
      const changes = (outcome: Outcome<O>) => declared.writes || (outcome.ok && outcome.grants !== undefined)
      if (isRecordsResource(declared.name)) {
        const resource = async () =>
          (await ask('resource', { name: declared.name, input: raw }, { callers, key })) as Outcome<O>
        return tried(declared.name, resource, changes)
      }
      const body = writeXml(declared.name, raw)
      return tried(declared.name, () => once(declared, body, callers, key), changes)
    },
    async keepUp() {
      if (!parts.copy || circuit.state === 'open') return
      try {
        await parts.copy.tell()
        await parts.copy.catchUp()
        isBehind = false
      } catch (error) {
        // Each second anew it would say nothing more.
        if (!isBehind) parts.report(error, { operation: 'records', step: 'keeping up' })
        isBehind = true
      }
    },
    async inward<Answer>(name: string, input: unknown[]) {
      const key = parts.random.uuid()
      const outcome = await tried(
        name,
        async () => (await ask('inward', { name, input }, { key })) as Outcome<Answer>,
        () => true,
      )
      if (outcome.ok) return outcome.value
      throw outcome.status === 503
        ? new DatabaseUnavailable('lost', new Error(`the storage system did not answer ${name}`))
        : new Error(`The storage system refused ${name}: ${outcome.message}`)
    },
  }
}

async function read<O>(declared: Operation<never, O>, response: Response): Promise<Outcome<O>> {
  const grants = response.headers.get(siteGrantsHeader)
  const done = (value: unknown): Outcome<O> => ({
    ok: true,
    value: value as O,
    ...(grants ? { grants: JSON.parse(grants) as Grants } : {}),
    ...(response.headers.has('idempotency-replayed') ? { replayed: true } : {}),
  })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/pdf')) return done(new Uint8Array(await response.arrayBuffer()))
  const envelope = readXml(await response.text(), answerLimits)
  if (!envelope.ok) throw new TryFailed(`not an answer: ${envelope.why}`)
  const root = declared.wrapper ?? `${declared.name}Result`
  if (envelope.service !== root) throw new TryFailed(`not the answer asked for: ${envelope.service}`)
  return done(shaped(declared.output, envelope.body, true))
}

const refusals: readonly number[] = [400, 401, 403, 404, 409, 413, 429] satisfies RefusalStatus[]

function refusal(response: Response, text: string): Refusal {
  const told = refusals.includes(response.status) ? readXmlError(text) : null
  // Our own signature was not taken: a matter between the two servers, never the visitor's.
  if (!told || told.code === 'invalid_site_caller')
    throw new TryFailed(`answered ${response.status} ${told?.code ?? ''}`)
  const { code, message, fields } = told
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return refuse(response.status as RefusalStatus, code, message, {
    ...(fields ? { fields } : {}),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  })
}
