/**
 * The cache of public pages: keyed by path, the query keys that the page knows, and what is personal about the home page
 * (its nearby facilities). A page lives for two seconds or until the operator's content changes, is compressed once, and
 * answers HEAD and If-None-Match.
 */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'

const lifetime = 2_000
const most = 2_000

interface Kept {
  until: number
  version: number
  status: number
  etag: string
  headers: [string, string][]
  body: Uint8Array<ArrayBuffer>
  brotli: Uint8Array<ArrayBuffer>
}

export class PublicPages {
  readonly #pages = new Map<string, Kept>()

  /**
   * @param key what the page depends on
   * @param version of the operator's content
   * @param render makes the page afresh
   */
  async answer(
    request: Request,
    key: string,
    version: number,
    now: number,
    render: () => Promise<Response>,
  ): Promise<Response> {
    let kept = this.#pages.get(key)
    if (!kept || kept.until <= now || kept.version !== version) {
      const response = await render()
      // Redirects, failures and pages that speak to one visitor are passed on as they are.
      if ((response.status !== 200 && response.status !== 404) || response.headers.has('Set-Cookie')) return response
      const body = new Uint8Array(await response.arrayBuffer())
      kept = {
        until: now + lifetime,
        version,
        status: response.status,
        etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
        headers: [...response.headers].filter(([name]) => name !== 'content-length'),
        body,
        brotli: new Uint8Array(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })),
      }
      if (this.#pages.size >= most) this.#pages.delete(this.#pages.keys().next().value as string)
      this.#pages.delete(key)
      this.#pages.set(key, kept)
    }
    const headers = new Headers(kept.headers)
    headers.set('ETag', kept.etag)
    headers.set('Vary', 'Accept-Encoding')
    headers.set('Cache-Control', 'public, max-age=0, must-revalidate')
    if (request.headers.get('If-None-Match') === kept.etag) return new Response(null, { status: 304, headers })
    let body = kept.body
    if (/\bbr\b/.test(request.headers.get('Accept-Encoding') ?? '')) {
      headers.set('Content-Encoding', 'br')
      body = kept.brotli
    }
    headers.set('Content-Length', String(body.byteLength))
    return new Response(request.method === 'HEAD' ? null : body, { status: kept.status, headers })
  }
}
