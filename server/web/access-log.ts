import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { RequestOrigin } from '../../platform/current-request.ts'
import { roughNetwork } from '../../platform/network-of-address.ts'
import type { Log } from '../log.ts'
import { isProbe, routeOf } from './route-patterns.ts'

type AppContext = Context<{ Bindings: HttpBindings }>

/** Status, as in nginx, of a request whose client closed the connection before the response began. */
const CLIENT_GONE = 499

/**
 * Logs one line for each response. A line names the route pattern and the client's rough network (/24 or /48), but no path,
 * query, person or token.
 */
export interface AccessLog {
  /** Logs a response. @param answer.bytes sent bytes, headers included */
  write(
    origin: RequestOrigin,
    method: string,
    path: string,
    answer: { status: number; ms: number; bytes: number },
  ): void
  /**
   * Logs the response when it was sent or its client is gone. By then the request's handler has added the caller's role to
   * `origin`. Does not log probes (`isProbe`). Without a socket, `answered` logs the response instead.
   */
  watch(origin: RequestOrigin, context: AppContext): { answered(): void }
}

/**
 * Creates the access log.
 * @param patternOf returns the route pattern to log in place of a path
 */
export function openAccessLog(log: Log, patternOf: (path: string) => string): AccessLog {
  const writeLine = (
    { id, role = 'visitor', operation, address }: RequestOrigin,
    request: { method: string; route: string },
    answer: { status: number; ms: number; bytes: number },
  ) =>
    log.info(
      { request_id: id, ...request, ...(operation && { operation }), ...answer, role, network: roughNetwork(address) },
      'answered',
    )
  return {
    write: (origin, method, path, answer) => writeLine(origin, { method, route: patternOf(path) }, answer),
    watch(origin, context) {
      const started = performance.now()
      const write = (status: number, bytes: number) =>
        writeLine(
          origin,
          { method: context.req.method, route: routeOf(context, patternOf) },
          { status, ms: Math.round((performance.now() - started) * 10) / 10, bytes },
        )
      if (isProbe(context.req.path)) return { answered() {} }
      const outgoing = context.env?.outgoing as ServerResponse | undefined
      // Tests have no socket.
      if (!outgoing) return { answered: () => write(context.res.status, 0) }
      const { socket } = outgoing
      const bytesBefore = socket?.bytesWritten ?? 0
      outgoing.once('close', () => {
        const isAnswered = outgoing.headersSent || outgoing.statusCode === 408
        write(isAnswered ? outgoing.statusCode : CLIENT_GONE, (socket?.bytesWritten ?? bytesBefore) - bytesBefore)
      })
      return { answered() {} }
    },
  }
}
