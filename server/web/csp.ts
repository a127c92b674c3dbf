export const securityHeaders = (secure: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
})

export const contentPolicy = (nonce: string, photoOrigins: readonly string[], cardPageOrigin: string): string =>
  [
    "default-src 'self'",
    nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : "script-src 'inline-speculation-rules' 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...photoOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    // The check scanner's reader; any page of a journey may lead to it.
    ...(nonce ? ["worker-src 'self'"] : []),
    `frame-src 'self' ${cardPageOrigin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
