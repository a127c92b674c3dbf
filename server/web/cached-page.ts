/**
 * The cache of public pages: keyed by path, the query keys that the page knows, and what is personal about the home page
 * (its nearby facilities). A page lives for two seconds or until the operator's content changes, is compressed when it is
 * first asked for and better where many ask, and answers HEAD and If-None-Match; straight to the connection where there is one.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, constants } from 'node:zlib'

const lifetime = 2_000
const most = 2_000
/** From so many browsers on in its two seconds a page is worth more work: its bytes go out as often. */
const many = 20

/** An answer whose body is at hand: read from the answer itself, it would be copied through a stream. */
interface Whole extends Response {
  whole?: Uint8Array<ArrayBuffer>
}

interface Shape {
  /** Name, value, name, value: as the connection takes them. */
  headers: string[]
  /** The body, a letter for each byte: Node writes headers and body as one where both are strings. */
  body: string
}

const shapeOf = (headers: string[], body: Uint8Array<ArrayBuffer>): Shape => ({
  headers: [...headers, 'content-length', String(body.byteLength)],
  body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'),
})

const bytesOf = (shape: Shape): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(shape.body, 'latin1'))

interface Kept {
  until: number
  version: number
  status: number
  etag: string
  /** Without what depends on the encoding. */
  headers: string[]
  plain: Shape
  /** Made when the first browser asks for it, and once more when many have. */
  brotli?: Shape
  asked: number
}

/** What of a request an answer hangs on. */
interface Asked {
  method: string | undefined
  ifNoneMatch: string | null | undefined
  acceptEncoding: string | null | undefined
}

export class PageCache {
  readonly #pages = new Map<string, Kept>()
  readonly #always: Record<string, string>

  /** @param always headers that every page goes out with */
  constructor(always: Readonly<Record<string, string>> = {}) {
    this.#always = { ...always }
  }

  #fresh(key: string, version: number, now: number): Kept | null {
    const kept = this.#pages.get(key)
    return kept && kept.until > now && kept.version === version ? kept : null
  }

  /**
   * Writes the page as it is kept.
   * @param key what the page depends on
   * @param version of the operator's content
   * @param own headers of this answer alone: name, value, name, value
   * @returns the status; 0, with nothing written, where it is not kept or no longer fresh
   */
  write(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    version: number,
    now: number,
    own: readonly string[] = [],
  ): number {
    const kept = this.#fresh(key, version, now)
    if (!kept) return 0
    const { headers } = request
    const { status, shape } = answerOf(kept, {
      method: request.method,
      ifNoneMatch: headers['if-none-match'],
      acceptEncoding: headers['accept-encoding'] as string | undefined,
    })
    response.writeHead(status, [...(shape?.headers ?? kept.headers), ...own])
    if (request.method === 'HEAD' || shape === null) response.end()
    else response.end(shape.body, 'latin1')
    return status
  }

  /** The page as kept, else as `render` makes it afresh. */
  async answer(
    request: Request,
    key: string,
    version: number,
    now: number,
    render: () => Promise<Response>,
  ): Promise<Response> {
    const fresh = this.#fresh(key, version, now)
    if (fresh) return respond(fresh, request)
    const response = await render()
    // Redirects, error pages (each names its request) and pages that speak to one visitor are passed on as they are.
    if (response.status !== 200 || response.headers.has('Set-Cookie')) return response
    const body = (response as Whole).whole ?? new Uint8Array(await response.arrayBuffer())
    // Weak: the same page goes out in other bytes for each encoding.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const headers = Object.entries({
      ...Object.fromEntries([...response.headers].filter(([name]) => name !== 'content-length')),
      ...this.#always,
      // In lower case like the page's own, so that none goes out twice.
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      etag,
    }).flat()
    const kept: Kept = {
      until: now + lifetime,
      version,
      status: response.status,
      etag,
      headers,
      plain: shapeOf(headers, body),
      asked: 0,
    }
    this.#pages.delete(key)
    if (this.#pages.size >= most) this.#pages.delete(this.#pages.keys().next().value as string)
    this.#pages.set(key, kept)
    return respond(kept, request)
  }
}

/** `shape` is null where the browser has the page already. */
function answerOf(kept: Kept, asked: Asked): { status: number; shape: Shape | null } {
  if (asked.ifNoneMatch === kept.etag) return { status: 304, shape: null }
  if (!/\bbr\b/.test(asked.acceptEncoding ?? '')) return { status: kept.status, shape: kept.plain }
  kept.asked += 1
  if (!kept.brotli || kept.asked === many) kept.brotli = compressed(kept)
  return { status: kept.status, shape: kept.brotli }
}

function respond(kept: Kept, request: Request): Response {
  const { status, shape } = answerOf(kept, {
    method: request.method,
    ifNoneMatch: request.headers.get('if-none-match'),
    acceptEncoding: request.headers.get('accept-encoding'),
  })
  const body = request.method === 'HEAD' || shape === null ? null : bytesOf(shape)
  return new Response(body, { status, headers: pairs(shape?.headers ?? kept.headers) })
}

const pairs = (flat: string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] as string, flat[2 * at + 1] as string])

function compressed({ plain, headers, asked }: Kept): Shape {
  // 1 takes a quarter of the time of 4 and makes a page 15 % larger. 128 kB of window are more than a page.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: asked < many ? 1 : 4,
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.body.length,
  }
  const body = new Uint8Array(brotliCompressSync(bytesOf(plain), { params }))
  return shapeOf([...headers, 'content-encoding', 'br'], body)
}
