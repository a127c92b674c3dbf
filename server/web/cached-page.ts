/**
 * The cache of public pages, by path, known query keys and nearby facilities: two seconds or until the content
 * changes.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, constants } from 'node:zlib'

const lifetime = 2_000
const most = 2_000

/** A body at hand; read from the answer it would be copied through a stream. */
interface Whole extends Response {
  whole?: Uint8Array<ArrayBuffer>
}

interface Shape {
  headers: string[]
  /** Latin-1: Node writes headers and body at once where both are strings. */
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
  /** Without those of the encoding. */
  headers: string[]
  plain: Shape
  /** Made on first use. */
  brotli?: Shape
}

interface Asked {
  method: string | undefined
  ifNoneMatch: string | null | undefined
  acceptEncoding: string | null | undefined
}

export class PageCache {
  readonly #pages = new Map<string, Kept>()
  readonly #always: Record<string, string>

  constructor(always: Readonly<Record<string, string>> = {}) {
    this.#always = { ...always }
  }

  #fresh(key: string, version: number, now: number): Kept | null {
    const kept = this.#pages.get(key)
    return kept && kept.until > now && kept.version === version ? kept : null
  }

  /**
   * @param own headers of this answer: name, value, name, value. @returns the status; 0, with nothing written, where
   * it is not fresh
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

  /**
   * The page as it was last, however old. @param page its key up to the facilities nearby. @param nearby those that
   * should stand on it; with others, rather than none
   */
  last(request: Request, page: string, nearby: string, version: number): Response | null {
    const keys = [page + nearby, page, ...[...this.#pages.keys()].reverse().filter((key) => key.startsWith(page))]
    const kept = keys.map((key) => this.#pages.get(key)).find((one) => one?.version === version)
    return kept ? respond(kept, request) : null
  }

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
    // Redirects, error pages and pages for one visitor are not cached.
    if (response.status !== 200 || response.headers.has('Set-Cookie')) return response
    const body = (response as Whole).whole ?? new Uint8Array(await response.arrayBuffer())
    // Weak: the bytes differ by encoding.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const headers = Object.entries({
      ...Object.fromEntries([...response.headers].filter(([name]) => name !== 'content-length')),
      ...this.#always,
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
    }
    this.#pages.delete(key)
    if (this.#pages.size >= most) this.#pages.delete(this.#pages.keys().next().value as string)
    this.#pages.set(key, kept)
    return respond(kept, request)
  }
}

/** `shape` null: not modified. */
function answerOf(kept: Kept, asked: Asked): { status: number; shape: Shape | null } {
  if (asked.ifNoneMatch === kept.etag) return { status: 304, shape: null }
  if (!takesBrotli(asked.acceptEncoding)) return { status: kept.status, shape: kept.plain }
  kept.brotli ??= shapeOf([...kept.headers, 'content-encoding', 'br'], compressed(bytesOf(kept.plain)))
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

const takesBrotli = (acceptEncoding: string | null | undefined) => /\bbr\b/.test(acceptEncoding ?? '')

function compressed(page: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  // A page and its styles then come in one flight; better quality takes ten times as long. It fits the window of 128 kB.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.byteLength,
  }
  return new Uint8Array(brotliCompressSync(page, { params }))
}

/** The answer for a browser that takes Brotli, compressed. For a page that holds no secret of its visitor. */
export async function compressedAnswer(request: Request, answer: Response): Promise<Response> {
  if (answer.body === null || !takesBrotli(request.headers.get('accept-encoding'))) return answer
  const headers = new Headers(answer.headers)
  headers.set('Content-Encoding', 'br')
  headers.append('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  return new Response(compressed(new Uint8Array(await answer.arrayBuffer())), { status: answer.status, headers })
}
