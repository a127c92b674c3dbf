/** The id in `X-Request-Id`, on error pages, in log lines and in the jobs that a request causes. */
import { randomUUID } from 'node:crypto'
import { isTrustedProxy } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'

export const requestIdHeader = 'x-request-id'
export const traceHeader = 'traceparent'

const wellFormed = /^[\w.:-]{8,64}$/
/** Version, trace, span, flags (W3C Trace Context). */
const traced = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/** @param given X-Request-Id or traceparent, taken from a trusted proxy only: it reaches the log */
export function requestIdFor(
  config: Pick<Config, 'trustProxy'>,
  remoteAddress: string,
  given: { id: string | undefined; trace: string | undefined },
): string {
  const id = given.id !== undefined && wellFormed.test(given.id) ? given.id : traced.exec(given.trace ?? '')?.[1]
  return id !== undefined && isTrustedProxy(config, remoteAddress) ? id : randomUUID()
}
