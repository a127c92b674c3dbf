/**
 * Caches public pages by path, known query keys and nearby facilities, for two seconds or until the content changes.
 */

import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, constants } from 'node:zlib'
import { dropOldestEntry } from '../../platform/drop-oldest-entry.ts'
import { requestHeader } from './read-request-header.ts'

const lifetimeMs = 2_000
const maxPages = 2_000

/** A response with its body as bytes; reading the body would copy it through a stream. */
interface Whole extends Response {
  whole?: Bytes
}

type Bytes = Uint8Array<ArrayBuffer>

/** A page's headers and body in one encoding. */
interface Shape {
  headers: string[]
  body: Bytes
}

const shapeOf = (headers: string[], body: Bytes): Shape => ({
  headers: [...headers, 'content-length', String(body.byteLength)],
  body,
})

interface CachedPage {
  until: number
  version: number
  status: number
  etag: string
  /** Headers without Content-Encoding and Content-Length. */
  headers: string[]
  plain: Shape
  /** Set at the first request that accepts Brotli. */
  brotli?: Shape
}

interface ConditionalRequest {
  method: string | undefined
  ifNoneMatch: string | null | undefined
  acceptEncoding: string | null | undefined
}

/** Cache of public pages in this process. */
export class PageCache {
  readonly #pages = new Map<string, CachedPage>()
  /** Compressed bodies by ETag, since most pages have the same bytes when they are rendered again. */
  readonly #compressed = new Map<string, Bytes>()
  readonly #commonHeaders: Record<string, string>

  constructor(commonHeaders: Readonly<Record<string, string>> = {}) {
    this.#commonHeaders = { ...commonHeaders }
  }

  #freshPage(key: string, version: number, now: number): CachedPage | null {
    const page = this.#pages.get(key)
    return page && page.until > now && page.version === version ? page : null
  }

  /**
   * Writes a fresh page to the response.
   * @param moreHeaders further headers: name, value, name, value
   * @returns the status; 0, with nothing written, if there is no fresh page
   */
  write(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    version: number,
    now: number,
    moreHeaders: readonly string[] = [],
  ): number {
    const page = this.#freshPage(key, version, now)
    if (!page) return 0
    const { headers } = request
    const { status, shape } = this.#answerOf(page, {
      method: request.method,
      ifNoneMatch: headers['if-none-match'],
      acceptEncoding: requestHeader(headers, 'accept-encoding'),
    })
    response.writeHead(status, [...(shape?.headers ?? page.headers), ...moreHeaders])
    if (request.method === 'HEAD' || shape === null) response.end()
    else response.end(shape.body)
    return status
  }

  /**
   * Returns the last cached copy of a page, of any age but with this content version; null if there is none.
   * @param prefix key of the page without the nearby facilities
   * @param nearby preferred nearby facilities; a page with others is better than none
   */
  last(request: Request, prefix: string, nearby: string, version: number): Response | null {
    const keys = [prefix + nearby, prefix, ...[...this.#pages.keys()].reverse().filter((key) => key.startsWith(prefix))]
    const page = keys.map((key) => this.#pages.get(key)).find((candidate) => candidate?.version === version)
    return page ? this.#respond(page, request) : null
  }

  async answer(
    request: Request,
    key: string,
    version: number,
    now: number,
    render: () => Promise<Whole>,
  ): Promise<Response> {
    const fresh = this.#freshPage(key, version, now)
    if (fresh) return this.#respond(fresh, request)
    const response = await render()
    // Redirects, error pages and a single visitor's pages are not cached.
    if (response.status !== 200 || response.headers.has('Set-Cookie')) return response
    const body = response.whole ?? new Uint8Array(await response.arrayBuffer())
    // The ETag is weak, since the bytes differ by encoding.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const headers = Object.entries({
      ...Object.fromEntries([...response.headers].filter(([name]) => name !== 'content-length')),
      ...this.#commonHeaders,
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      etag,
    }).flat()
    const page: CachedPage = {
      until: now + lifetimeMs,
      version,
      status: response.status,
      etag,
      headers,
      plain: shapeOf(headers, body),
    }
    this.#pages.delete(key)
    if (this.#pages.size >= maxPages) dropOldestEntry(this.#pages)
    this.#pages.set(key, page)
    return this.#respond(page, request)
  }

  /**
   * Chooses a cached page's response to a request: its status, and headers and body, plain or compressed. `shape` is
   * null for 304 (not modified).
   */
  #answerOf(page: CachedPage, request: ConditionalRequest): { status: number; shape: Shape | null } {
    if (request.ifNoneMatch === page.etag) return { status: 304, shape: null }
    if (!acceptsBrotli(request.acceptEncoding)) return { status: page.status, shape: page.plain }
    page.brotli ??= shapeOf([...page.headers, 'content-encoding', 'br'], this.#compressedBodyOf(page))
    return { status: page.status, shape: page.brotli }
  }

  #compressedBodyOf(page: CachedPage): Bytes {
    const compressed = this.#compressed.get(page.etag)
    if (compressed !== undefined) return compressed
    const body = compress(page.plain.body)
    if (this.#compressed.size >= maxPages) dropOldestEntry(this.#compressed)
    this.#compressed.set(page.etag, body)
    return body
  }

  #respond(page: CachedPage, request: Request): Response {
    const { status, shape } = this.#answerOf(page, {
      method: request.method,
      ifNoneMatch: request.headers.get('if-none-match'),
      acceptEncoding: request.headers.get('accept-encoding'),
    })
    const body = request.method === 'HEAD' || shape === null ? null : shape.body
    return new Response(body, { status, headers: pairs(shape?.headers ?? page.headers) })
  }
}

const pairs = (flat: string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? '', flat[2 * index + 1] ?? ''])

const acceptsBrotli = (acceptEncoding: string | null | undefined) => /\bbr\b/.test(acceptEncoding ?? '')

function compress(page: Bytes): Bytes {
  // With quality 5 a page and its styles fit into the first flight of packets (docs/decisions/performance.md). A page
  // fits into the window of 128 kB.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.byteLength,
  }
  return new Uint8Array(brotliCompressSync(page, { params }))
}

/**
 * Returns the response compressed with Brotli if the browser accepts it. Only for pages without secrets of the visitor.
 */
export async function compressedAnswer(request: Request, answer: Response): Promise<Response> {
  if (answer.body === null || !acceptsBrotli(request.headers.get('accept-encoding'))) return answer
  const headers = new Headers(answer.headers)
  headers.set('Content-Encoding', 'br')
  headers.append('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  return new Response(compress(new Uint8Array(await answer.arrayBuffer())), { status: answer.status, headers })
}
