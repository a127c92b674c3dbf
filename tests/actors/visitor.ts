/** A visitor over HTTP with an address, cookies and a token of their own. Fault runs, simulations of load and the bench use it. */
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { request as requestByTls, Agent as TlsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ask, payAtHostedPage } from '../../sandbox/pay-hosted-page.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'

export interface Reach {
  readonly url: string
  /** Resolves once the site answers (again). */
  up?(): Promise<void>
  /** Called as each request leaves. */
  sent?(): void
  /** Called where a request got no answer. @param left when it was sent, ms of `performance` */
  cut?(left: number): void
  /** Called with each answer. */
  answered?(answer: Answer, method: string): void
}

/** The site could not be reached, or answered 503. */
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
/** Pairs, where a field has more than one value. */
export type Fields = Record<string, string> | string[][]

export const form = (fields: Fields): Body => ({
  type: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
})

const pooled = new Agent({ keepAlive: true, maxSockets: 64 })
const single = new Agent({ keepAlive: false })
const pooledTls = new TlsAgent({ keepAlive: true, maxSockets: 64 })
const singleTls = new TlsAgent({ keepAlive: false })

/** Names below .test are this machine's. */
const here: LookupFunction = (_, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/** node:http, since `fetch` would be most of the work of a measured visitor. @throws Outage where the connection is cut */
function exchange(
  url: string | URL,
  of: { method: string; headers: Record<string, string>; body?: string; pool: boolean },
): Promise<Answer> {
  const { method, headers, body, pool } = of
  const { protocol, hostname } = new URL(url)
  const tls = protocol === 'https:'
  const agent = tls ? (pool ? pooledTls : singleTls) : pool ? pooled : single
  const options: RequestOptions = { method, agent, headers, ...(hostname.endsWith('.test') && { lookup: here }) }
  if (body !== undefined) options.headers = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = (tls ? requestByTls : request)(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', (error) => reject(new Outage(String(error))))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection: the request did not reach it.
      if (pool && sent.reusedSocket && error.code === 'ECONNRESET') resolve(exchange(url, of))
      else reject(new Outage(String(error)))
    })
    sent.end(body)
  })
}

const atCardPage: Ask = async (url, { method = 'GET', body }) => {
  const text = body?.toString()
  const headers: Record<string, string> = text ? { 'content-type': form({}).type } : {}
  const answer = await exchange(url, { method: method.toUpperCase(), headers, pool: true, ...(text && { body: text }) })
  return {
    status: answer.status,
    headers: { get: (name) => String(answer.headers[name] ?? '') || null },
    text: async () => answer.text,
  }
}

/** Pays at the card page. Only the provider's books tell the outcome: a card may cut the connection, or the order be paid. */
export async function payAtCardPage(url: string, card: TestCardName): Promise<void> {
  try {
    await payAtHostedPage(url, card, atCardPage)
  } catch (error) {
    if (!(error instanceof Outage) && !/answered 303/.test(String(error))) throw error
  }
}

/** The nth address of 127.0.0.0/8. */
export const addressOf = (serial: number) => `127.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`

export class Visitor {
  readonly #reach: Reach
  readonly #headers: Record<string, string>
  readonly #tries: number
  readonly #pool: boolean
  #cookies = new Map<string, string>()
  token = ''

  /**
   * @param address of the visitor, by which limits count
   * @param of `tries` repeats after an outage (default 0); `encodings` the browser unpacks; `pool` keeps connections
   */
  constructor(reach: Reach | string, address: string, of: { tries?: number; encodings?: string; pool?: boolean } = {}) {
    this.#reach = typeof reach === 'string' ? { url: reach } : reach
    this.#headers = { 'x-forwarded-for': address, 'accept-encoding': of.encodings ?? 'identity' }
    this.#tries = of.tries ?? 0
    this.#pool = of.pool ?? false
  }

  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ')
  }

  set cookie(header: string) {
    this.#cookies = new Map(
      header.split('; ').flatMap((pair) => (pair ? [pair.split(/=(.*)/s, 2) as [string, string]] : [])),
    )
  }

  /** The same visitor, at another address of the site: cookies as they are now. */
  at(url: string): Visitor {
    const other = new Visitor({ ...this.#reach, url }, this.#headers['x-forwarded-for'] as string)
    other.cookie = this.cookie
    other.token = this.token
    return other
  }

  /** One request. @throws Outage without an answer, at 503 and at a proxy's 502; Error at any other 5xx */
  async send(method: string, path: string, body?: Body, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { ...this.#headers, ...more }
    if (this.#cookies.size > 0) headers.cookie = this.cookie
    if (this.token) headers.authorization = `Bearer ${this.token}`
    if (body) headers['content-type'] = body.type
    const left = performance.now()
    this.#reach.sent?.()
    const answer = await exchange(new URL(path, this.#reach.url), {
      method,
      headers,
      pool: this.#pool,
      ...(body && { body: body.text }),
    }).catch((error) => {
      this.#reach.cut?.(left)
      throw error
    })
    this.#reach.answered?.(answer, method)
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    // A proxy's: the server ended before it answered.
    if (answer.status === 502) this.#reach.cut?.(left)
    if (answer.status === 503 || answer.status === 502) throw new Outage(answer.text)
    if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return answer
  }

  /** Waits for the site after an outage and asks again, as often as this visitor tries. */
  async #patiently(work: () => Promise<Answer>): Promise<Answer> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Outage) || turn >= this.#tries) throw error
        await this.#reach.up?.()
        // A database that is away answers 503 for a while.
        await pause(50)
      }
    }
  }

  async ask(path: string, body: object | null, more: Record<string, string> = {}): Promise<JsonAnswer> {
    const { status, headers, text } = await this.#patiently(() =>
      body ? this.send('POST', path, json(body), more) : this.send('GET', path, undefined, more),
    )
    return { status, answer: headers['content-type']?.includes('json') ? JSON.parse(text) : {} }
  }

  /** A JSON call that must be answered with 200. @throws Error otherwise */
  async call<T = Record<string, unknown>>(path: string, body: object): Promise<T> {
    const { status, answer } = await this.ask(path, body)
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer).slice(0, 600)}`)
    return answer as T
  }

  async page(path: string, fields?: Fields): Promise<{ status: number; to: string; html: string }> {
    const { status, headers, text } = await this.#patiently(() =>
      fields ? this.send('POST', path, form(fields)) : this.send('GET', path),
    )
    return { status, to: headers.location ?? '', html: text }
  }
}
