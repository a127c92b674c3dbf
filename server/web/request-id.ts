/** Assigns request ids, which appear in `X-Request-Id`, on error pages, in log lines and in jobs. */
import { randomUUID } from 'node:crypto'
import { isTrustedProxy } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'

export const requestIdHeader = 'x-request-id'
export const traceHeader = 'traceparent'

const wellFormed = /^[\w.:-]{8,64}$/
/** A W3C traceparent header: version, trace, span, flags. */
const traceparentPattern = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/**
 * Returns the request's id.
 * @param headers X-Request-Id and traceparent, used only from a trusted proxy, since the id is logged
 */
export function requestIdFor(
  config: Pick<Config, 'trustProxy'>,
  remoteAddress: string,
  headers: { id: string | undefined; trace: string | undefined },
): string {
  const id =
    headers.id !== undefined && wellFormed.test(headers.id)
      ? headers.id
      : traceparentPattern.exec(headers.trace ?? '')?.[1]
  return id !== undefined && isTrustedProxy(config, remoteAddress) ? id : randomUUID()
}
