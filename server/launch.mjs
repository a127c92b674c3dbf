/**
 * `npm start`: builds when needed, and runs the demo's card sandbox beside the site. `--dev`: Vite serves the
 * sources.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { checkNode, ensureBuild, root } from './build.mjs'

checkNode()
const development = process.argv.includes('--dev')
const environment = process.env

function startSandbox() {
  if (environment.MODE === 'production' || environment.CARD_PROVIDER_URL) return null
  const child = spawn(process.execPath, [join(root, 'sandbox', 'main.ts')], {
    env: { ...environment, DATA_DIR: environment.DATA_DIR ?? './data', SANDBOX_PARENT: String(process.pid) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return child
}

let vite = null
let sandbox = null
try {
  let server
  if (development) {
    const { createServer } = await import('vite')
    vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
    server = await vite.ssrLoadModule('./main.ts')
  } else {
    ensureBuild()
    environment.NODE_ENV ??= 'production'
    sandbox = startSandbox()
    server = await import(join(root, 'build', 'server', 'index.js'))
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
    await running.stop()
    await vite?.close()
    sandbox?.kill('SIGTERM')
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  sandbox?.on('exit', (code, signal) => {
    if (!stopping)
      console.error(`The card sandbox has stopped (${signal ?? code}); payments cannot be made until the next start.`)
  })
} catch (error) {
  sandbox?.kill('SIGTERM')
  console.error(error instanceof Error && error.name === 'StartRefused' ? error.message : error)
  process.exit(1)
}
