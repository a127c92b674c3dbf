import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { requestTooLate } from '../domain/texts/site.ts'

/** How long a client may take, milliseconds. Our own answering is not bounded. */
export interface Patience {
  headMs: number
  bodyMs: number
  /** More time for a body that arrives at this speed. */
  bytesPerSecond: number
  /** No more time beyond this; assumed of a body without a length. */
  mostBytes: number
  /** An idle connection with a request on it is closed after this. */
  stillMs: number
  /** Keep-alive: longer than that of a proxy in front. */
  idleMs: number
}

/** Half a slow phone's 1 Mbit/s: 10 MB have three minutes. */
export const patience: Patience = {
  headMs: 15_000,
  bodyMs: 20_000,
  bytesPerSecond: 64 * 1024,
  mostBytes: 10 * 1024 * 1024,
  stillMs: 120_000,
  idleMs: 65_000,
}

export interface Listening {
  fetch: (request: Request) => Response | Promise<Response>
  /** Sees a request first. @returns whether it answers */
  first(request: IncomingMessage, response: ServerResponse, next: () => void): boolean
  /** Whether the server is about to stop: each connection is closed after its next answer. */
  closing?(): boolean
  host: string
  port: number
  patience?: Patience
}

/**
 * A request that arrives too slowly is answered 408 and closed, so that it holds no place. @throws the socket's
 * error, such as EADDRINUSE
 */
export async function listen(listening: Listening): Promise<ServerType> {
  const { fetch, first, host, port } = listening
  const bounds = listening.patience ?? patience
  const server = await new Promise<ServerType>((resolve, reject) => {
    const opened: ServerType = serve(
      {
        fetch,
        port,
        hostname: host,
        // It would cut a connection whose body is still arriving: see `discardRest`.
        autoCleanupIncoming: false,
        serverOptions: {
          headersTimeout: bounds.headMs,
          // One bound for all would be that of the longest upload: see `hurry`.
          requestTimeout: 0,
          keepAliveTimeout: bounds.idleMs,
          connectionsCheckingInterval: Math.ceil(bounds.headMs / 4),
        },
      },
      () => resolve(opened),
    )
    opened.setTimeout(bounds.stillMs)
    opened.once('error', reject)
  })
  const [answer] = server.listeners('request') as ((request: unknown, response: unknown) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (listening.closing?.()) response.shouldKeepAlive = false
    hurry(request, response, bounds)
    discardRest(request, response)
    const next = () => answer?.(request, response)
    if (!first(request, response, next)) next()
  })
  return server
}

/** Bytes read before the request: the first part of a body comes with its head. */
const readBefore = new WeakMap<Socket, number>()

/** Ends a request whose body is late; each part that arrives extends its time. */
function hurry(request: IncomingMessage, response: ServerResponse, bounds: Patience): void {
  const { socket } = request
  const before = readBefore.get(socket) ?? 0
  readBefore.set(socket, socket.bytesRead)
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  const bytes = encoding === undefined ? Number(length ?? 0) : bounds.mostBytes
  if (!(bytes > 0)) return
  let waited = 0
  let timer: NodeJS.Timeout
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      if (request.complete) return
      waited += ms
      // Promised bytes extend nothing.
      const come = Math.min(socket.bytesRead - before, bytes, bounds.mostBytes)
      const left = bounds.bodyMs + (come / bounds.bytesPerSecond) * 1000 - waited
      if (left > 0) wait(Math.max(left, 100))
      else tooLate(request, response)
    }, ms)
    timer.unref()
  }
  wait(bounds.bodyMs)
  request.once('close', () => {
    readBefore.set(socket, socket.bytesRead)
    clearTimeout(timer)
  })
}

/** Drains the unread body of an answered request: a proxy reuses the connection. */
function discardRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.readableEnded || request.destroyed) return
    // A web stream begun and left would pause the request when its queue is full.
    request.removeAllListeners('data')
    request.resume()
  })
}

export function tooLate({ socket }: IncomingMessage, response: ServerResponse): void {
  // On the socket: the pending answer waits for the body.
  if (!response.headersSent && socket.writable) {
    const text = requestTooLate
    // For the log: Node writes no head of its own any more.
    response.statusCode = 408
    socket.write(
      `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  }
  socket.destroySoon()
}
