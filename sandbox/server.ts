// The server of the simulated card provider, of the simulated bank (below /bank) and of the pages of the simulated
// gates. Provider and bank share no code with the adapters that call them.
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../ports/clock-and-random.ts'
import { SandboxBank } from './bank.ts'
import { Faults } from './faults.ts'
import { Gates, SANDBOX_GATE_KEY } from './gate-controller-per-facility.ts'
import { ProviderLedger } from './provider-ledger.ts'
import { TooLarge } from './request-body.ts'
import type { RouteResponse } from './responses.ts'
import type { Credentials, SandboxParts } from './route-dependencies.ts'
import { route } from './routes.ts'

/** Default credentials of the simulated provider and bank. They are not secret, since no real money moves. */
export const SANDBOX_CREDENTIALS: Credentials = { xwebId: 'sandbox', terminalId: '001', authKey: 'practice' }

export interface SandboxOptions {
  /** 0 for any free port. */
  port: number
  host?: string
  /** The sandbox stores its files in `sandbox/` below this folder. */
  dataDir: string
  /** Duration of the slow card, the fault 'slow' (except at gates) and the bank's silence, in milliseconds. */
  slowMs?: number
  credentials?: Credentials
  /** Bearer token of `POST /sandbox/faults`; without a token no faults can be set. */
  faultKey?: string
  /** URL for browsers, if it differs from host and port. */
  publicUrl?: string
  clock?: Clock
  /** Origin of the site whose gates the sandbox simulates; without a site there are no gates. */
  site?: string | undefined
  gateKey?: string | undefined
}

export interface Sandbox {
  readonly url: string
  close(): Promise<void>
}

const systemClock: Clock = { now: () => Date.now() }

/**
 * Starts the sandbox; resolves once it listens. A sandbox that is killed loses no payment that it has answered, but
 * forgets the faults that were set.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1'
  const slowMs = options.slowMs ?? 30_000
  const clock = options.clock ?? systemClock
  const folder = join(options.dataDir, 'sandbox')
  // The sandbox may be the first to create the data folder, which other users must not read.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ledger = new ProviderLedger(join(folder, 'sandbox.sqlite'), clock)
  const bank = new SandboxBank(join(folder, 'bank.sqlite'), clock)
  const closing = new AbortController()
  const faults = new Faults(slowMs, options.faultKey, closing.signal)
  const gates = new Gates({
    site: options.site?.replace(/\/$/, ''),
    key: options.gateKey ?? SANDBOX_GATE_KEY,
    file: join(folder, 'gates.json'),
    clock,
    faults,
    closing: closing.signal,
  })
  const sandbox: SandboxParts = {
    url: '',
    ledger,
    bank,
    faults,
    gates,
    credentials: options.credentials ?? SANDBOX_CREDENTIALS,
    clock,
  }
  const routeOptions = { slowMs, faultsEnabled: options.faultKey !== undefined }

  const server = createServer((request, response) => {
    route(sandbox, routeOptions, request)
      .catch((error: unknown): RouteResponse => {
        if (closing.signal.aborted) return 'cut'
        if (error instanceof TooLarge)
          // The rest of the body is not read, so the connection cannot be reused.
          return { status: 413, type: 'text/plain; charset=utf-8', body: 'Too large', headers: { connection: 'close' } }
        console.error('card sandbox:', error)
        return { status: 500, type: 'text/plain; charset=utf-8', body: 'Internal error' }
      })
      .then((content) => send(content, request, response))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  void gates.run()
  const { port } = server.address() as AddressInfo
  sandbox.url = options.publicUrl?.replace(/\/$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`

  return {
    url: sandbox.url,
    async close() {
      closing.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      ledger.close()
      bank.close()
    },
  }
}

function send(content: RouteResponse, request: IncomingMessage, response: ServerResponse): void {
  if (content === 'cut') {
    request.socket.destroy()
    return
  }
  response.writeHead(content.status, {
    'content-type': content.type,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...content.headers,
  })
  response.end(request.method === 'HEAD' ? undefined : content.body)
}
