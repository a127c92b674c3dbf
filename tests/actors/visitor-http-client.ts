/** A visitor over HTTP with its own network address, cookies and token. */
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { request as requestByTls, Agent as TlsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type FetchLike, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'

/** How a simulated visitor reaches the site: its address, and callbacks around each request. */
export interface Reach {
  readonly url: string
  /** Resolves once the site responds. */
  up?(): Promise<void>
  /** Called when a request is sent. */
  sent?(): void
  /**
   * Called when a request got no response from the site, also behind a proxy that answered 502.
   * @param sentAt time of sending, in milliseconds of `performance.now`
   */
  cut?(sentAt: number): void
  /** Called for each response. */
  answered?(answer: Answer, method: string): void
}

/** Thrown when the site cannot be reached or responds with 503, or a proxy with 502. */
export class Outage extends Error {}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface JsonAnswer {
  status: number
  answer: Record<string, unknown> & { error?: { code?: string; message?: string; fields?: Record<string, string> } }
}

interface Body {
  type: string
  text: string
}

export const json = (value: unknown): Body => ({ type: 'application/json', text: JSON.stringify(value) })

/** Fields of a form to submit, as pairs when a field has several values. */
export type Fields = Record<string, string> | string[][]

export const form = (fields: Fields): Body => ({
  type: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
})

const pooled = new Agent({ keepAlive: true, maxSockets: 64 })
const single = new Agent({ keepAlive: false })
const pooledTls = new TlsAgent({ keepAlive: true, maxSockets: 64 })
const singleTls = new TlsAgent({ keepAlive: false })

/** Resolves names under .test to this machine. */
const lookupTest: LookupFunction = (_, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/**
 * Sends a request by node:http or node:https, which take less processor time from a measurement than `fetch`.
 * @throws Outage when the connection fails or is cut
 */
function exchange(
  url: string | URL,
  options: { method: string; headers: Record<string, string>; body?: string; pool: boolean },
): Promise<Answer> {
  const { method, headers, body, pool } = options
  const { protocol, hostname } = new URL(url)
  const tls = protocol === 'https:'
  const agent = tls ? (pool ? pooledTls : singleTls) : pool ? pooled : single
  const requestOptions: RequestOptions = {
    method,
    agent,
    headers,
    ...(hostname.endsWith('.test') && { lookup: lookupTest }),
  }
  if (body !== undefined) requestOptions.headers = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = (tls ? requestByTls : request)(url, requestOptions, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', (error) => reject(new Outage(String(error))))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A reset of a reused connection usually means that the server closed it while it was idle.
      if (pool && sent.reusedSocket && error.code === 'ECONNRESET') resolve(exchange(url, options))
      else reject(new Outage(String(error)))
    })
    sent.end(body)
  })
}

const fetchCardPage: FetchLike = async (url, { method = 'GET', body }) => {
  const text = body?.toString()
  const headers: Record<string, string> = text ? { 'content-type': form({}).type } : {}
  const answer = await exchange(url, { method: method.toUpperCase(), headers, pool: true, ...(text && { body: text }) })
  return {
    status: answer.status,
    headers: { get: (name) => String(answer.headers[name] ?? '') || null },
    text: async () => answer.text,
  }
}

/**
 * Fills in and submits the card provider's hosted card page. Ignores a lost connection or an already finished order,
 * since only the provider's records show the outcome of the payment.
 * @param card test card, whose number decides the provider's behavior
 */
export async function payAtCardPage(url: string, card: TestCardName): Promise<void> {
  try {
    await payAtHostedPage(url, card, fetchCardPage)
  } catch (error) {
    if (!(error instanceof Outage) && !/answered 303/.test(String(error))) throw error
  }
}

/** Returns the network address in 127.0.0.0/8 of a serial number from 0 to 16,777,215. */
export const addressOf = (serial: number) => `127.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`

export class Visitor {
  readonly #reach: Reach
  readonly #headers: Record<string, string>
  readonly #tries: number
  readonly #pool: boolean
  #cookies = new Map<string, string>()
  token = ''

  /**
   * Creates a visitor.
   * @param address network address, by which the site's limits count
   * @param options `tries` retries after an outage (default 0); `encodings` accepted by the browser; `pool` keeps
   * connections open
   */
  constructor(
    reach: Reach | string,
    address: string,
    options: { tries?: number; encodings?: string; pool?: boolean } = {},
  ) {
    this.#reach = typeof reach === 'string' ? { url: reach } : reach
    this.#headers = { 'x-forwarded-for': address, 'accept-encoding': options.encodings ?? 'identity' }
    this.#tries = options.tries ?? 0
    this.#pool = options.pool ?? false
  }

  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ')
  }

  set cookie(header: string) {
    this.#cookies = new Map(
      header.split('; ').flatMap((pair) => (pair ? [pair.split(/=(.*)/s, 2) as [string, string]] : [])),
    )
  }

  /**
   * Returns a visitor with this one's network address, cookies and token, who uses another URL of the site. The new
   * visitor neither retries, keeps connections open nor accepts encodings.
   */
  at(url: string): Visitor {
    const other = new Visitor({ ...this.#reach, url }, this.#headers['x-forwarded-for'] as string)
    other.cookie = this.cookie
    other.token = this.token
    return other
  }

  /**
   * Sends one request.
   * @throws Outage without a response, for 503 and a proxy's 502; Error for any other 5xx
   */
  async send(method: string, path: string, body?: Body, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { ...this.#headers, ...more }
    if (this.#cookies.size > 0) headers.cookie = this.cookie
    if (this.token) headers.authorization = `Bearer ${this.token}`
    if (body) headers['content-type'] = body.type
    const sentAt = performance.now()
    this.#reach.sent?.()
    const answer = await exchange(new URL(path, this.#reach.url), {
      method,
      headers,
      pool: this.#pool,
      ...(body && { body: body.text }),
    }).catch((error) => {
      this.#reach.cut?.(sentAt)
      throw error
    })
    this.#reach.answered?.(answer, method)
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    // A proxy answers 502 when the server ended before it responded.
    if (answer.status === 502) this.#reach.cut?.(sentAt)
    if (answer.status === 503 || answer.status === 502) throw new Outage(answer.text)
    if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return answer
  }

  /** Repeats the work after an outage, as often as this visitor retries. */
  async #retry(work: () => Promise<Answer>): Promise<Answer> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Outage) || turn >= this.#tries) throw error
        await this.#reach.up?.()
        // An unavailable database causes 503 for a while.
        await pause(50)
      }
    }
  }

  /**
   * Sends a JSON request, GET without a body, and repeats it after an outage.
   * @returns `answer`: {} when the response is not JSON
   */
  async ask(path: string, body: object | null, more: Record<string, string> = {}): Promise<JsonAnswer> {
    const { status, headers, text } = await this.#retry(() =>
      body ? this.send('POST', path, json(body), more) : this.send('GET', path, undefined, more),
    )
    return { status, answer: headers['content-type']?.includes('json') ? JSON.parse(text) : {} }
  }

  /**
   * Sends a JSON request that must succeed with 200.
   * @throws Error otherwise
   */
  async call<T = Record<string, unknown>>(path: string, body: object): Promise<T> {
    const { status, answer } = await this.ask(path, body)
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer).slice(0, 600)}`)
    return answer as T
  }

  /**
   * Opens a page, or submits its form, and repeats that after an outage.
   * @returns `to`: target of a redirect, which is not followed; '' for none
   */
  async page(path: string, fields?: Fields): Promise<{ status: number; to: string; html: string }> {
    const { status, headers, text } = await this.#retry(() =>
      fields ? this.send('POST', path, form(fields)) : this.send('GET', path),
    )
    return { status, to: headers.location ?? '', html: text }
  }
}
