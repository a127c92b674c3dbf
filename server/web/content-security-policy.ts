/** The Content-Security-Policy of rendered pages. */
import type { ListenOptions } from '../http-server.ts'
import { policyReportPath } from './csp-reports.ts'

/**
 * Returns the Content-Security-Policy.
 * @param nonce nonce of the page's scripts; '' for a page without scripts
 * @param cardPageOrigin null for the office, which neither frames nor is framed
 * @param inlineHashes hashes of the style sheets within the page
 */
export const contentSecurityPolicy = (
  nonce: string,
  pictureOrigins: readonly string[],
  cardPageOrigin: string | null,
  inlineHashes: readonly string[],
): string =>
  [
    "default-src 'self'",
    // The first page's policy stays in force when client-side navigation leads to the page with the card frame, so every
    // page may load only our own scripts.
    nonce ? `script-src 'nonce-${nonce}' 'self'` : "script-src 'inline-speculation-rules' 'self'",
    ["style-src 'self'", ...inlineHashes].join(' '),
    ["img-src 'self' data: blob:", ...pictureOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    // The scanner of bank checks starts a worker, and client-side navigation can reach it from other pages.
    ...(nonce ? ["worker-src 'self'"] : []),
    cardPageOrigin === null ? "frame-src 'none'" : `frame-src 'self' ${cardPageOrigin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${cardPageOrigin === null ? "'none'" : "'self'"}`,
    `report-uri ${policyReportPath}`,
  ].join('; ')

/**
 * Wraps a request handler for the development server: its pages may load the style sheets that Vite's script adds, and
 * hear of changed sources through a WebSocket.
 */
export const allowViteClient =
  (fetch: ListenOptions['fetch']): ListenOptions['fetch'] =>
  async (request) => {
    const answer = await fetch(request)
    const policy = answer.headers.get('Content-Security-Policy')
    if (policy)
      answer.headers.set(
        'Content-Security-Policy',
        policy.replace(/style-src [^;]*/, "style-src 'self' 'unsafe-inline'").replace('connect-src', 'connect-src ws:'),
      )
    return answer
  }
