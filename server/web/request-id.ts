/** The id in `X-Request-Id`, on error pages and in log lines. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { isTrustedProxy } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'

interface RequestOrigin {
  id: string
  address: string
}

const current = new AsyncLocalStorage<RequestOrigin>()

export const requestIdHeader = 'x-request-id'

const wellFormed = /^[\w.:-]{8,64}$/

/** @param given X-Request-Id, taken from a trusted proxy only: it reaches the log */
export const requestIdFor = (
  config: Pick<Config, 'trustProxy'>,
  remoteAddress: string,
  given: string | undefined,
): string =>
  given !== undefined && wellFormed.test(given) && isTrustedProxy(config, remoteAddress) ? given : randomUUID()

export const underRequest = <T>(origin: RequestOrigin, work: () => T): T => current.run(origin, work)

export const currentRequest = (): RequestOrigin | undefined => current.getStore()
