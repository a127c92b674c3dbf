import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/**
 * Starts an HTTP server for tests on a free port of this machine.
 * @param whenOver registers the closing: `afterAll`, or `onTestFinished` within a test
 * @returns the server's origin
 */
export async function serverForTests(
  answer: RequestListener,
  whenOver: (close: () => void) => void = afterAll,
  host = '127.0.0.1',
): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, host, done))
  const { port } = server.address() as AddressInfo
  whenOver(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
