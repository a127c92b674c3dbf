/**
 * Starts the card sandbox: `node sandbox/start-provider-sandbox.ts`.
 *
 * Variables: SANDBOX_PORT (3001), SANDBOX_HOST (127.0.0.1), SANDBOX_URL (address for browsers, if different), DATA_DIR
 * (./data), SANDBOX_SLOW_MS (30000), SANDBOX_FAULT_KEY (none: no faults on demand), CLOCK (start of the sandbox's
 * clock, the same as the site's), the accepted credentials SANDBOX_XWEBID, SANDBOX_TERMINAL_ID and SANDBOX_AUTH_KEY,
 * SANDBOX_SITE (origin of the site whose gates are simulated; none: no gates) and SANDBOX_GATE_KEY (the gates' key),
 * and SANDBOX_PARENT (id of the process with which the sandbox ends).
 */
import { SANDBOX_CREDENTIALS, startSandbox } from './server.ts'

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name] || String(fallback)
  if (/^\d{1,9}$/.test(text)) return Number(text)
  console.error(`${name} must be a whole number, not '${text}'.`)
  process.exit(1)
}

/**
 * Returns the instant at which the sandbox's clock starts, in epoch milliseconds; null for the system clock. The clock
 * decides, for example, when debits are returned and card pages expire.
 */
function startOfClock(): number | null {
  const text = process.env.CLOCK
  if (!text) return null
  const instant = Date.parse(text)
  if (Number.isFinite(instant)) return instant
  console.error(`CLOCK must be an instant such as 2026-11-20T15:00:00Z, not '${text}'.`)
  process.exit(1)
}

// Only the owner may read files in the data folder.
process.umask(0o077)

const clockStart = startOfClock()
const port = wholeNumber('SANDBOX_PORT', 3001)
try {
  const sandbox = await startSandbox({
    port,
    ...(clockStart === null ? {} : { clock: { now: () => clockStart + Math.floor(performance.now()) } }),
    host: process.env.SANDBOX_HOST || '127.0.0.1',
    dataDir: process.env.DATA_DIR || './data',
    slowMs: wholeNumber('SANDBOX_SLOW_MS', 30_000),
    faultKey: process.env.SANDBOX_FAULT_KEY || undefined,
    publicUrl: process.env.SANDBOX_URL || undefined,
    site: process.env.SANDBOX_SITE || undefined,
    gateKey: process.env.SANDBOX_GATE_KEY || undefined,
    credentials: {
      xwebId: process.env.SANDBOX_XWEBID || SANDBOX_CREDENTIALS.xwebId,
      terminalId: process.env.SANDBOX_TERMINAL_ID || SANDBOX_CREDENTIALS.terminalId,
      authKey: process.env.SANDBOX_AUTH_KEY || SANDBOX_CREDENTIALS.authKey,
    },
  })
  console.log(`Card sandbox listening on ${sandbox.url}`)
  const end = () => {
    sandbox.close().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  // A killed launcher sends no signal, but the parent process changes.
  if (process.env.SANDBOX_PARENT === String(process.ppid)) {
    setInterval(() => {
      if (process.env.SANDBOX_PARENT !== String(process.ppid)) end()
    }, 2000).unref()
  }
} catch (error) {
  const code = (error as NodeJS.ErrnoException).code
  console.error(
    code === 'EADDRINUSE' ? `Port ${port} is taken; set SANDBOX_PORT to a free one.` : `Card sandbox: ${String(error)}`,
  )
  process.exit(1)
}
