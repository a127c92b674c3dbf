/** Headers of every answer. */
export const securityHeaders = (secure: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
})

/**
 * The Content-Security-Policy of a page.
 * @param nonce of its scripts; '' for a page without any
 * @param photoOrigins from which the operator's pictures come
 * @param cardPageOrigin of the card provider's hosted pages
 */
export const contentPolicy = (nonce: string, photoOrigins: readonly string[], cardPageOrigin: string): string =>
  [
    "default-src 'self'",
    nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : "script-src 'inline-speculation-rules' 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...photoOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    // The check scanner's reader. A journey stays in one document, so any of its pages may lead to it.
    ...(nonce ? ["worker-src 'self'"] : []),
    `frame-src 'self' ${cardPageOrigin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
