/** One id for each request: in the answer's `X-Request-Id`, on error pages and in each line that is logged meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { isTrustedProxy } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'

interface RequestOrigin {
  id: string
  /** The client address that is believed. */
  address: string
}

const current = new AsyncLocalStorage<RequestOrigin>()

export const requestIdHeader = 'x-request-id'

/** A proxy's id may be a UUID, a trace id or the like. */
const wellFormed = /^[\w.:-]{8,64}$/

/**
 * @param remoteAddress of the socket
 * @param given the X-Request-Id header as it came; taken from a trusted proxy only, or a stranger could write into our logs
 */
export const requestIdFor = (
  config: Pick<Config, 'trustProxy'>,
  remoteAddress: string,
  given: string | undefined,
): string =>
  given !== undefined && wellFormed.test(given) && isTrustedProxy(config, remoteAddress) ? given : randomUUID()

/** Runs the work of a request under its id. */
export const underRequest = <T>(origin: RequestOrigin, work: () => T): T => current.run(origin, work)

/** The request that is being answered; undefined outside of one. */
export const currentRequest = (): RequestOrigin | undefined => current.getStore()
