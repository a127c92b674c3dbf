/**
 * The cache of public pages: keyed by path, the query keys that the page knows, and what is personal about the home page
 * (its nearby facilities). A page lives for two seconds or until the operator's content changes, is compressed once, and
 * answers HEAD and If-None-Match.
 */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'

const lifetime = 2_000
const most = 2_000

/** Made once with the page: plain objects, which the server writes out as they are. */
type HeaderLines = Record<string, string>

interface Kept {
  until: number
  version: number
  status: number
  etag: string
  headers: HeaderLines
  body: Uint8Array<ArrayBuffer>
  plainHeaders: HeaderLines
  /** Made when the first browser asks for it. */
  brotli?: { body: Uint8Array<ArrayBuffer>; headers: HeaderLines }
}

export class PublicPages {
  readonly #pages = new Map<string, Kept>()
  readonly #always: HeaderLines

  /** @param always headers that every page goes out with */
  constructor(always: Readonly<Record<string, string>> = {}) {
    this.#always = { ...always }
  }

  /**
   * @param key what the page depends on
   * @param version of the operator's content
   * @returns the page as it is kept; null where it is not, or no longer fresh
   */
  kept(request: Request, key: string, version: number, now: number): Response | null {
    const kept = this.#pages.get(key)
    return kept && kept.until > now && kept.version === version ? respond(kept, request) : null
  }

  /** The page as kept, else as `render` makes it afresh. */
  async answer(
    request: Request,
    key: string,
    version: number,
    now: number,
    render: () => Promise<Response>,
  ): Promise<Response> {
    const fresh = this.kept(request, key, version, now)
    if (fresh) return fresh
    const response = await render()
    // Redirects, failures and pages that speak to one visitor are passed on as they are.
    if ((response.status !== 200 && response.status !== 404) || response.headers.has('Set-Cookie')) return response
    const body = new Uint8Array(await response.arrayBuffer())
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const headers: HeaderLines = {
      ...Object.fromEntries([...response.headers].filter(([name]) => name !== 'content-length')),
      ...this.#always,
      // In lower case like the page's own, so that none goes out twice.
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      etag,
    }
    const kept: Kept = {
      until: now + lifetime,
      version,
      status: response.status,
      etag,
      headers,
      body,
      plainHeaders: { ...headers, 'content-length': String(body.byteLength) },
    }
    this.#pages.delete(key)
    if (this.#pages.size >= most) this.#pages.delete(this.#pages.keys().next().value as string)
    this.#pages.set(key, kept)
    return respond(kept, request)
  }
}

function respond(kept: Kept, request: Request): Response {
  if (request.headers.get('if-none-match') === kept.etag) {
    return new Response(null, { status: 304, headers: kept.headers })
  }
  const { status } = kept
  const bodiless = request.method === 'HEAD'
  if (/\bbr\b/.test(request.headers.get('accept-encoding') ?? '')) {
    kept.brotli ??= compressed(kept)
    return new Response(bodiless ? null : kept.brotli.body, { status, headers: kept.brotli.headers })
  }
  return new Response(bodiless ? null : kept.body, { status, headers: kept.plainHeaders })
}

function compressed({ body, headers }: Kept): { body: Uint8Array<ArrayBuffer>; headers: HeaderLines } {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength }
  const brotli = new Uint8Array(brotliCompressSync(body, { params }))
  return {
    body: brotli,
    headers: { ...headers, 'content-encoding': 'br', 'content-length': String(brotli.byteLength) },
  }
}
