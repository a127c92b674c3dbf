/** Checks Node's version, builds the bundle if its sources have changed since the last build, and imports it. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'build', 'stamp')
/** The lock is outside of `build`, which may be deleted to force a build. */
const buildLock = join(root, '.react-router', 'building.lock')
const sources = [
  'api',
  'app',
  'demo',
  'domain',
  'main.ts',
  'modules',
  'operator',
  'platform',
  'ports',
  'public',
  'server',
  'package-lock.json',
  'react-router.config.ts',
  'vite.config.ts',
]

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

function isBuilt(stamp, changed) {
  try {
    return readFileSync(stamp, 'utf8') === changed
  } catch {
    return false
  }
}

/** Time to wait for another process's build, in milliseconds. */
const lockTimeoutMs = 3_600_000

/**
 * Runs `make` unless the file `stamp` already contains `changed`. If several processes call it, one runs `make` and the
 * others wait. The lock is SQLite's, which ends with its process and so is never stale.
 * @param parts.lock file outside of what `make` deletes
 */
export function makeOnce({ lock, stamp, changed, make }) {
  if (isBuilt(stamp, changed)) return
  mkdirSync(dirname(lock), { recursive: true })
  // The module is not imported at the top, since `checkNode` must run on older Node versions, which lack it.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(lock, { timeout: lockTimeoutMs })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    // Another process may have run `make` before we got the lock.
    if (isBuilt(stamp, changed)) return
    make()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, changed)
  } finally {
    database.close()
  }
}

const builder = join(root, 'node_modules/@react-router/dev/bin.cjs')

/** Builds if needed; without the development tools (`npm install --omit=dev`) the existing bundle is used. */
export function ensureBuild() {
  if (!existsSync(builder)) {
    if (existsSync(join(root, 'build', 'server', 'index.js'))) return
    console.error('There is no bundle and nothing to build one with: run npm install, or bring build/ along.')
    process.exit(1)
  }
  const changed = String(Math.max(...sources.map((source) => newest(join(root, source)))))
  makeOnce({ lock: buildLock, stamp, changed, make: build })
}

/** Folder of the code that Node has compiled for the next start. */
export const compiledCode = join(root, 'build', 'compiled')

/**
 * Builds if needed and imports the bundle. Node stores its compiled code for the next start, except in an installed
 * release, whose folder is read-only.
 */
export function importServer() {
  ensureBuild()
  // Not imported at the top: `checkNode` must also run on Node versions that lack `enableCompileCache`.
  process.getBuiltinModule('node:module').enableCompileCache(compiledCode)
  return import(join(root, 'build', 'server', 'index.js'))
}

function build() {
  const startedAt = Date.now()
  rmSync(compiledCode, { recursive: true, force: true })
  const result = spawnSync(process.execPath, [builder, 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (result.status !== 0) {
    process.stderr.write(result.stdout + result.stderr)
    process.exit(1)
  }
  for (const side of ['client', 'server']) removeOld(join(root, 'build', side, 'assets'), Date.now() - retentionMs)
  shortenManifest(join(root, 'build', 'client', 'assets'), startedAt)
  precompress(join(root, 'build', 'client'))
  const scripts = scriptsIn(join(root, 'build', 'client'))
  writeFileSync(join(root, 'build', 'scripts.json'), `${JSON.stringify(scripts, null, 2)}\n`)
}

/** Lists the script files of a folder, with size in bytes and integrity hash (PCI DSS 6.4.3). */
export const scriptsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => {
      const content = readFileSync(join(folder, name))
      const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`
      return { address: `/${name.replaceAll('\\', '/')}`, bytes: content.length, integrity }
    })

/**
 * Shortens the route manifest. Removes the imports, which scripts load themselves, and splits it into one for the
 * office and one for the site; app/entry.server.tsx chooses between them.
 */
function shortenManifest(folder, since) {
  const paths = readdirSync(folder).map((name) => join(folder, name))
  const path = paths.find((file) => /\Wmanifest-\w+\.js$/.test(file) && statSync(file).mtimeMs >= since)
  if (!path) throw new Error('The build has made no manifest')
  const text = readFileSync(path, 'utf8')
  const begin = text.indexOf('{')
  const end = text.lastIndexOf('}') + 1
  const manifest = JSON.parse(text.slice(begin, end))
  for (const route of Object.values(manifest.routes)) delete route.imports
  const write = (target, includes) => {
    const routes = Object.fromEntries(Object.entries(manifest.routes).filter(([id]) => includes(id)))
    writeFileSync(target, text.slice(0, begin) + JSON.stringify({ ...manifest, routes }) + text.slice(end))
  }
  const isOffice = (id) => id.startsWith('office/')
  write(path, (id) => isOffice(id) || id === 'root')
  write(path.replace(/manifest-(\w+\.js)$/, 'site-manifest-$1'), (id) => !isOffice(id))
}

/** Time in milliseconds for which assets of earlier builds are kept, for pages that are still open. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Removes files that were last written before an instant. @param before epoch milliseconds */
export function removeOld(folder, before) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < before) rmSync(path, { recursive: true })
  }
}

function precompress(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) precompress(path)
    // Assets of an earlier build are already compressed.
    else if (/\.(js|css|svg|json|txt)$/.test(name) && !isNewer(`${path}.br`, path)) {
      const content = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    }
  }
}

const isNewer = (path, reference) =>
  (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= statSync(reference).mtimeMs

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 24 && !(major === 22 && minor >= 22)) {
    console.error(
      `Latchkey needs Node 24; this is Node ${process.versions.node}. Run it through npm (npm start), which uses the Node 24 that npm install brings.`,
    )
    process.exit(1)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkNode()
  ensureBuild()
}
