/**
 * The request that the current work belongs to: an HTTP request, or one run of a chore. Log lines carry its id, and so
 * do the jobs that it causes, which run as part of it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Id, client address and caller of a request; the address is '' in jobs and chores. */
export interface RequestOrigin {
  id: string
  address: string
  /** Kind of caller (`callerKinds`), or 'visitor' for anyone else; missing in jobs and chores, and until the callers were loaded. */
  role?: string
  /** Name of the API operation that the request calls. */
  operation?: string
}

const current = new AsyncLocalStorage<RequestOrigin | undefined>()

/** Runs `work` as part of a request. @param origin undefined detaches the work from the current request */
export const runWithinRequest = <T>(origin: RequestOrigin | undefined, work: () => T): T => current.run(origin, work)

export const currentRequest = (): RequestOrigin | undefined => current.getStore()
