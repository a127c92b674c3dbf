/** A TCP port that forwards to one target and can be switched to another, like a proxy in front of two databases. */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface RedirectableProxy {
  port: number
  /** Cuts every connection, as a proxy does when a server is gone. New connections go to `place`. */
  redirectTo(place: NetConnectOpts): void
  close(): Promise<void>
}

/** Opens a TCP port that forwards to `place`, until its `redirectTo` sends connections elsewhere. */
export async function openRedirectableProxy(place: NetConnectOpts): Promise<RedirectableProxy> {
  let to = place
  const open = new Set<Socket>()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((near) => {
    const far = connect(to)
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.pipe(other)
      // After an error the socket closes, which the next handler passes on.
      from.on('error', () => {})
      from.once('close', () => {
        open.delete(from)
        other.destroy()
      })
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as { port: number }).port,
    redirectTo(next) {
      to = next
      cut()
    },
    close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      cut()
      return closed
    },
  }
}
