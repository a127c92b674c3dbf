import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { requestTooLate } from '../domain/texts/general-errors.ts'
import { UPLOAD_MAX_BYTES } from '../domain/upload-size-and-file-types.ts'
import { announcesBody } from './web/read-request-header.ts'

/** Limits of slow clients. */
export interface ClientTimeouts {
  /** Time limit of request line and headers, in milliseconds. */
  headMs: number
  /** Time limit of the body, in milliseconds; received bytes extend it. */
  bodyMs: number
  /** Speed by which received bytes are converted to additional time. */
  bytesPerSecond: number
  /** Number of bytes up to which the time is extended; assumed for a body without a length. */
  maxBytes: number
  /** Maximum idle time of a connection with a pending request, in milliseconds. */
  stillMs: number
  /** Keep-alive timeout in milliseconds; must be longer than a proxy's. */
  idleMs: number
}

/**
 * Time limits for clients in production. The speed is half of a slow phone's 1 Mbit/s, so that 10 MB have three
 * minutes.
 */
export const clientTimeouts: ClientTimeouts = {
  headMs: 15_000,
  bodyMs: 20_000,
  bytesPerSecond: 64 * 1024,
  maxBytes: UPLOAD_MAX_BYTES,
  stillMs: 120_000,
  idleMs: 65_000,
}

/** Options of `listen`. */
export interface ListenOptions {
  fetch: (request: Request) => Response | Promise<Response>
  /** Called first for each request. @returns whether it answers the request */
  first(request: IncomingMessage, response: ServerResponse, next: () => void): boolean
  /** Returns whether the server is stopping, so that connections are closed after their next response. */
  closing?(): boolean
  host: string
  port: number
  timeouts?: ClientTimeouts
}

/**
 * Starts an HTTP server. It closes the connections of requests that arrive too slowly; see `refuseLateRequest`.
 * @throws the socket's error, such as EADDRINUSE
 */
export async function listen(options: ListenOptions): Promise<ServerType> {
  const { fetch, first, host, port } = options
  const bounds = options.timeouts ?? clientTimeouts
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting: ServerType = serve(
      {
        fetch,
        port,
        hostname: host,
        // The library's cleanup would close a connection whose body is still arriving; see `discardRest`.
        autoCleanupIncoming: false,
        serverOptions: {
          headersTimeout: bounds.headMs,
          // One timeout for all requests would have to suit the longest upload; see `limitBodyTime`.
          requestTimeout: 0,
          keepAliveTimeout: bounds.idleMs,
          connectionsCheckingInterval: Math.ceil(bounds.headMs / 4),
        },
      },
      () => resolve(starting),
    )
    starting.setTimeout(bounds.stillMs)
    starting.once('error', reject)
  })
  // The library's listener is called by our own, which first offers each request to `first`.
  const [handle] = server.listeners('request') as ((request: unknown, response: unknown) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (options.closing?.()) response.shouldKeepAlive = false
    limitBodyTime(request, response, bounds)
    if (announcesBody(request)) discardRest(request, response)
    const next = () => handle?.(request, response)
    if (!first(request, response, next)) next()
  })
  return server
}

/**
 * Number of bytes that each connection had received when its latest request began, updated when the body of that
 * request ends. Bytes beyond this number count for the next request.
 */
const bytesReadBefore = new WeakMap<Socket, number>()

/** Ends a request whose body arrives too slowly; each received part extends its time. */
function limitBodyTime(request: IncomingMessage, response: ServerResponse, bounds: ClientTimeouts): void {
  const { socket } = request
  const bytesBefore = bytesReadBefore.get(socket) ?? 0
  bytesReadBefore.set(socket, socket.bytesRead)
  if (!announcesBody(request)) return
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  const bytes = encoding === undefined ? Number(length) : bounds.maxBytes
  let waited = 0
  let timer: NodeJS.Timeout
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      if (request.complete) return
      waited += ms
      // Only received bytes extend the time, not announced ones.
      const received = Math.min(socket.bytesRead - bytesBefore, bytes, bounds.maxBytes)
      const remaining = bounds.bodyMs + (received / bounds.bytesPerSecond) * 1000 - waited
      if (remaining > 0) wait(Math.max(remaining, 100))
      else refuseLateRequest(request, response)
    }, ms)
    timer.unref()
  }
  wait(bounds.bodyMs)
  request.once('close', () => {
    bytesReadBefore.set(socket, socket.bytesRead)
    clearTimeout(timer)
  })
}

/** Drains the unread body of an answered request, so that a proxy can reuse the connection. */
function discardRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.readableEnded || request.destroyed) return
    // An abandoned web stream would pause the request when its queue is full.
    request.removeAllListeners('data')
    request.resume()
  })
}

/** Closes the connection of a request that arrives too slowly, and answers 408 unless a response has begun. */
export function refuseLateRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  // The text is written to the socket, since the pending response waits for the body.
  if (!response.headersSent && socket.writable) {
    const text = requestTooLate
    // The status is set for the log only: Node writes no headers any more.
    response.statusCode = 408
    socket.write(
      `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  }
  socket.destroySoon()
}
