/** Creates the two releases of a rolling upgrade, as folders like an unpacked tarball. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assemble } from '../../deploy/build-release.mjs'
import { root } from '../../server/build.mjs'

/** Names of folders that are not copied into the next release, since they hold no source files. */
const notCopied = new Set(['node_modules', 'build', 'dist', 'data', '.git', '.react-router'])

/** Expand migration of the next release: adds columns, a table and an index. */
const expand = `import { sql } from 'kysely'
export const indexes = [{ name: 'next_release_payments', table: 'payments', columns: 'next_release, order_id' }]
export async function up(db) {
  await sql\`alter table payments add column next_release bigint\`.execute(db)
  await sql\`alter table jobs add column next_release bigint\`.execute(db)
  await sql\`create table next_release (name text primary key)\`.execute(db)
}
`
/** Contract migration of the next release: drops a column. */
const contract = `import { sql } from 'kysely'
export const kind = 'contract'
export async function up(db) {
  await sql\`alter table jobs drop column next_release\`.execute(db)
}
`

/**
 * Creates the last release from this source tree.
 * @param tarball tarball of a release to unpack instead
 */
export function lastRelease(folder: string, tarball?: string): string {
  const release = join(folder, 'last')
  mkdirSync(release)
  if (tarball === undefined) assemble(release, '1.0.0')
  else runOrThrow('tar', ['-xzf', tarball, '-C', release, '--strip-components=1', '--no-same-owner'], folder)
  return release
}

/** Creates the next release: this source tree with one more expand and one more contract migration. */
export function nextRelease(folder: string): string {
  const sources = join(folder, 'sources')
  mkdirSync(sources)
  for (const name of readdirSync(root))
    if (!notCopied.has(name)) cpSync(join(root, name), join(sources, name), { recursive: true })
  symlinkSync(realpathSync(join(root, 'node_modules')), join(sources, 'node_modules'))
  const migrations = join(sources, 'platform/schema/migrations')
  writeFileSync(join(migrations, '998-next-release.ts'), `// @ts-nocheck\n${expand}`)
  writeFileSync(join(migrations, '999-next-release-only.ts'), `// @ts-nocheck\n${contract}`)
  runOrThrow(process.execPath, ['api/write-operation-mail-migration-lists.ts'], sources)
  const release = join(folder, 'next')
  const build = `await import('./server/build.mjs').then((one) => one.ensureBuild())
    await import('./deploy/build-release.mjs').then((release) => release.assemble(${JSON.stringify(release)}, '1000.0.0'))`
  runOrThrow(process.execPath, ['--input-type=module', '-e', build], sources)
  return release
}

function runOrThrow(program: string, words: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} has failed: ${stdout}${stderr}`)
}
