/**
 * Packs a release (`npm run package [-- --version 1.4.0] [--out dist]`): one tarball with the build, its production
 * dependencies and the installation files. A release is started by Node alone (`node server/launch.mjs`): it needs no
 * npm and no git, and downloads nothing.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkNode, ensureBuild, root } from '../server/build.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Platform of the release, such as 'linux-x64': that of this machine, whose native packages it contains. */
const platform = `${process.platform}-${process.arch}`

const copiedPaths = [
  'server/launch.mjs',
  'server/build.mjs',
  'operator/launch.mjs',
  'deploy',
  'docs/running',
  'docs/operations.md',
  'docs/settings.md',
  'NOTICE',
]

/** Returns whether a file is needed at run time; types and source maps are not. */
const isNeeded = (path) => !/\.(map|d\.[cm]?ts|flow)$/.test(path)

/** Writes the files of a release, which can be started there. @param folder empty or missing */
export function assemble(folder, version) {
  for (const path of copiedPaths)
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const side of ['client', 'server'])
    cpSync(join(root, 'build', side), join(folder, 'build', side), { recursive: true })
  cpSync(join(root, 'build', 'scripts.json'), join(folder, 'build', 'scripts.json'))
  for (const name of runtimePackages())
    cpSync(join(root, name), join(folder, name), { recursive: true, dereference: true, filter: isNeeded })
  const { name, description, license, type, engines } = manifest
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, private: true, description, license, type, engines }, null, 2)}\n`,
  )
  // The servers run as another user, so this process's umask must not restrict who reads the files.
  runProgram('chmod', ['-R', 'u=rwX,go=rX', folder])
}

/** Lists the folders of packages that the bundle imports, with their dependencies, such as `node_modules/pino`. */
function runtimePackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const text = bundleText(join(root, 'build', 'server'))
  const pending = Object.keys(packages).filter((path) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]
    return name && !packages[path].dev && new RegExp(`["'\`]${RegExp.escape(name)}["'\`/]`).test(text)
  })
  const packagePaths = new Set()
  while (pending.length > 0) {
    const path = pending.pop()
    if (packagePaths.has(path) || !existsSync(join(root, path))) continue
    packagePaths.add(path)
    const { dependencies = {}, optionalDependencies = {} } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = resolvePackage(packages, path, name)
      if (dependency) pending.push(dependency)
    }
  }
  // A package inside another package's folder is copied with that folder.
  return [...packagePaths].filter((path) => !packagePaths.has(outerOf(path))).sort()
}

const outerOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))

/** Returns the path at which Node finds a package that a folder of the lock file imports; null if there is none. */
function resolvePackage(packages, folder, name) {
  for (let at = folder; ; at = outerOf(at)) {
    const path = `${at}${at && '/'}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return null
  }
}

const bundleText = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

function main() {
  checkNode()
  const { values } = parseArgs({
    options: {
      version: { type: 'string', default: manifest.version },
      out: { type: 'string', default: join(root, 'dist') },
    },
  })
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(values.version)) {
    console.error(`--version should be such as 1.4.0, not '${values.version}'.`)
    process.exit(2)
  }
  ensureBuild()
  const scratch = mkdtempSync(join(tmpdir(), 'latchkey-package-'))
  try {
    const name = `latchkey-${values.version}-${platform}`
    assemble(join(scratch, name), values.version)
    const file = join(resolve(values.out), `${name}.tar.gz`)
    mkdirSync(dirname(file), { recursive: true })
    pack(scratch, name, file)
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
    writeFileSync(`${file}.sha256`, `${sum}  ${name}.tar.gz\n`)
    console.log(`${file}\nSHA-256 ${sum}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Packs a reproducible tarball: sorted, with fixed owner and time. */
function pack(folder, name, file) {
  const args = ['--sort=name', '--owner=root:0', '--group=root:0', '--mtime=@0', '-I', 'gzip -n']
  runProgram('tar', [...args, '-cf', file, '-C', folder, name])
}

function runProgram(program, args) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} has failed`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
