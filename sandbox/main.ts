/**
 * The card sandbox as a process: `node sandbox/main.ts`.
 *
 * SANDBOX_PORT (3001), SANDBOX_HOST (127.0.0.1), SANDBOX_URL (where browsers reach it, if elsewhere), DATA_DIR (./data),
 * SANDBOX_SLOW_MS (30000), SANDBOX_FAULT_KEY (none: no faults on demand), CLOCK (now: the instant at which its clock
 * starts, as that of the site it stands beside), and the credentials it takes:
 * SANDBOX_XWEBID, SANDBOX_TERMINAL_ID, SANDBOX_AUTH_KEY. SANDBOX_PARENT names the process it stands beside: it ends with it.
 */
import { SANDBOX_CREDENTIALS, startSandbox } from './server.ts'

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name] || String(fallback)
  if (/^\d{1,9}$/.test(text)) return Number(text)
  console.error(`${name} must be a whole number, not '${text}'.`)
  process.exit(1)
}

/** Returns of debits and expiry of orders follow the site's clock. */
function startOfClock(): number | null {
  const text = process.env.CLOCK
  if (!text) return null
  const instant = Date.parse(text)
  if (Number.isFinite(instant)) return instant
  console.error(`CLOCK must be an instant such as 2026-11-20T15:00:00Z, not '${text}'.`)
  process.exit(1)
}

// Its files in the data folder are readable by their owner alone.
process.umask(0o077)

const clockStarts = startOfClock()
const port = wholeNumber('SANDBOX_PORT', 3001)
try {
  const sandbox = await startSandbox({
    port,
    ...(clockStarts === null ? {} : { clock: { now: () => clockStarts + Math.floor(performance.now()) } }),
    host: process.env.SANDBOX_HOST || '127.0.0.1',
    dataDir: process.env.DATA_DIR || './data',
    slowMs: wholeNumber('SANDBOX_SLOW_MS', 30_000),
    faultKey: process.env.SANDBOX_FAULT_KEY || undefined,
    publicUrl: process.env.SANDBOX_URL || undefined,
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
  // A killed launcher sends nothing: its child then has another parent.
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
