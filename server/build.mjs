/** Builds the one bundle when the sources are newer than the last build, so that the second start costs nothing. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'build', 'stamp')
/** Beside the folder, which a build empties: number of the process that builds. */
const building = join(root, '.react-router', 'building')
const sources = [
  'app',
  'database',
  'demo',
  'domain',
  'lease',
  'notices',
  'operator',
  'paying',
  'ports',
  'public',
  'server',
  'site-records',
  'storage-system',
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

function isBuilt(changed) {
  try {
    return readFileSync(stamp, 'utf8') === changed
  } catch {
    // never built
    return false
  }
}

/** Whether this process of the machine still runs. */
function runs(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** @returns whether this process builds now; false where another one does, which is waited for. */
function mayBuild() {
  mkdirSync(dirname(building), { recursive: true })
  try {
    writeFileSync(building, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const other = Number(existsSync(building) ? readFileSync(building, 'utf8') : 0)
  // A builder that was killed has left its mark behind. One that has just made it has not written its number yet.
  if (other > 0 && !runs(other)) rmSync(building, { force: true })
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  return false
}

/**
 * Several may be started at once: one of them builds, since each build begins by emptying the folder that the others run
 * from. Ends the process with the builder's own words where the build fails.
 */
export function ensureBuild() {
  const changed = String(Math.max(...sources.map((source) => newest(join(root, source)))))
  for (;;) {
    if (isBuilt(changed)) return
    if (!mayBuild()) continue
    try {
      // Built by another between the look and the mark.
      if (!isBuilt(changed)) build(changed)
      return
    } finally {
      rmSync(building, { force: true })
    }
  }
}

function build(changed) {
  const built = spawnSync(process.execPath, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (built.status !== 0) {
    process.stderr.write(built.stdout + built.stderr)
    rmSync(building, { force: true })
    process.exit(1)
  }
  precompress(join(root, 'build', 'client'))
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, changed)
}

/** Static files are compressed once, here, and served as they are. */
function precompress(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) precompress(path)
    else if (/\.(js|css|svg|json|txt)$/.test(name)) {
      const content = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    }
  }
}

/** Says plainly what is needed where an older Node runs this. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 24 && !(major === 22 && minor >= 22)) {
    console.error(
      `Latchkey needs Node 24; this is Node ${process.versions.node}. Run it through npm (npm start), which uses the Node 24 that npm install brings.`,
    )
    process.exit(1)
  }
}
