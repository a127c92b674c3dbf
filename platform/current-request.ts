/** The request under whose id a line is logged and a job is written: of a visitor, or of one run of a chore. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestOrigin {
  id: string
  address: string
  /** Who calls, once that has been asked: 'tenant', 'staff'. */
  role?: string
  /** The operation of the API that it calls. */
  operation?: string
}

const current = new AsyncLocalStorage<RequestOrigin | undefined>()

/** @param origin undefined: the work belongs to no request, whatever called it */
export const underRequest = <T>(origin: RequestOrigin | undefined, work: () => T): T => current.run(origin, work)

export const currentRequest = (): RequestOrigin | undefined => current.getStore()
