/**
 * `npm start`: builds if needed, and runs the site, and in a demo without CARD_PROVIDER_URL the card sandbox. With
 * `--dev` Vite serves the sources.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, compiledCode, importServer, root } from './build.mjs'

checkNode()
const development = process.argv.includes('--dev')
const environment = process.env

function startSandbox() {
  if (environment.MODE === 'production' || environment.CARD_PROVIDER_URL) return null
  const program = join(root, 'sandbox', 'start-provider-sandbox.ts')
  if (!existsSync(program)) {
    console.error('This release has no card sandbox, and so no demo: set MODE=production.')
    process.exit(1)
  }
  const child = spawn(process.execPath, [program], {
    env: {
      ...environment,
      NODE_COMPILE_CACHE: environment.NODE_COMPILE_CACHE ?? compiledCode,
      DATA_DIR: environment.DATA_DIR ?? './data',
      SANDBOX_SITE:
        environment.SANDBOX_SITE ?? environment.PUBLIC_URL ?? `http://localhost:${environment.PORT ?? 3000}`,
      SANDBOX_PARENT: String(process.pid),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return child
}

/**
 * Calls `stop` when `npm start` or `node --run start` has ended. A SIGTERM to them may not reach this process, but then
 * the parent of this process, or of the shell that started it, changes.
 */
function whenOrphaned(stop) {
  if (!environment.npm_lifecycle_event && !environment.NODE_RUN_SCRIPT_NAME) return
  const ancestors = () => `${process.ppid} ${shellParent(process.ppid)}`
  const initialAncestors = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === initialAncestors) return
    clearInterval(timer)
    stop()
  }, 500)
  timer.unref()
}

/** Returns the id of a shell's parent process; '' if the process is no shell or the system has no /proc. */
function shellParent(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return /^(sh|dash|bash|ash)$/.test(name) ? parent : ''
  } catch {
    return ''
  }
}

/** Maximum time to stop in addition to draining, in milliseconds. */
const MAX_STOP_MS = 30_000

let vite = null
let sandbox = null
try {
  let server
  if (development) {
    const { createServer } = await import('vite')
    vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
    server = await vite.ssrLoadModule('./main.ts')
  } else {
    environment.NODE_ENV ??= 'production'
    const loading = importServer()
    sandbox = startSandbox()
    server = await loading
  }
  if (development) sandbox = startSandbox()
  const running = await server.start(environment, {
    root,
    ...(vite ? { vite: { middleware: vite.middlewares, reload: () => vite.ssrLoadModule('./main.ts') } } : {}),
  })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), Number(environment.DRAIN_MS ?? 5000) + MAX_STOP_MS).unref()
    await running.stop()
    await vite?.close()
    sandbox?.kill('SIGTERM')
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  whenOrphaned(stop)
  sandbox?.on('exit', (code, signal) => {
    if (!stopping)
      console.error(`The card sandbox has stopped (${signal ?? code}); payments cannot be made until the next start.`)
  })
} catch (error) {
  sandbox?.kill('SIGTERM')
  console.error(error instanceof Error && error.name === 'StartupError' ? error.message : error)
  process.exit(1)
}
