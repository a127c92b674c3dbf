/** The socket that the site answers on, and how long it waits for a request to arrive. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { requestTooLate } from '../domain/texts/site.ts'

/** How long whoever asks may take. What we take to answer is not bounded here. */
export interface Patience {
  /** Until the head of a request has arrived, milliseconds. */
  headMs: number
  /** Until its body has, however short that is, milliseconds. */
  bodyMs: number
  /** A longer body has as much more time as it takes at this speed. */
  bytesPerSecond: number
  /** The longest body that more time is given for; also taken of one that does not say how long it is. */
  mostBytes: number
  /** A connection on which nothing moves while an answer waits to be taken, or to be made, is closed after this long. */
  stillMs: number
  /** A connection without a request is kept open this long: longer than a proxy in front of us keeps it. */
  idleMs: number
}

/** Half a slow phone's 1 Mbit/s: a file of 10 MB takes that phone 80 seconds, and has three minutes. */
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
  /** Sees a request first. @returns whether it has answered, or will */
  first(request: IncomingMessage, response: ServerResponse, next: () => void): boolean
  host: string
  /** 0 for any that is free. */
  port: number
  patience?: Patience
}

/**
 * Listens. A request whose head or body does not arrive in time is answered 408 and its connection closed, so that nobody
 * keeps one of the places for requests under way by sending nothing.
 * @throws the socket's own error, such as EADDRINUSE
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
        // It cuts a connection half a second after an answer whose body is still on its way: see `discardRest`.
        autoCleanupIncoming: false,
        serverOptions: {
          headersTimeout: bounds.headMs,
          // Node's one bound for every request would be that of the longest upload: see `hurry`.
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
    hurry(request, response, bounds)
    discardRest(request, response)
    const next = () => answer?.(request, response)
    if (!first(request, response, next)) next()
  })
  return server
}

/** Bytes that a connection had brought before: the first part of a body comes with the head of its request. */
const readBefore = new WeakMap<Socket, number>()

/** Ends a request whose body is late: each part of it that has come gives it time for the next. */
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
      // What a body only promises gives it no time: nobody would have to send it.
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

/**
 * What is still on its way of a body once its request is answered, mostly refused unread, is read and dropped, in the time
 * that `hurry` gives it. A proxy keeps the connection for the next visitor, whose request would meet a cut.
 */
function discardRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (!request.readableEnded && !request.destroyed) request.resume()
  })
}

/** Says that the body has not come in time, and closes the connection. */
export function tooLate({ socket }: IncomingMessage, response: ServerResponse): void {
  // On the socket itself: the answer that is being made waits for the rest of the body.
  if (!response.headersSent && socket.writable) {
    const text = requestTooLate
    socket.write(
      `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  }
  socket.destroySoon()
}
