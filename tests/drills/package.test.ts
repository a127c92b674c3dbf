/** A release runs from its own files alone, without npm, network or git, as another user, with one writable folder. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { assemble } from '../../deploy/build-release.mjs'
import { ensureBuild, root } from '../../server/build.mjs'
import { temporaryFolder } from '../support/databases.ts'
import { PRODUCTION } from '../support/production-settings.ts'
import { canIsolate, createBareRoot, runBare } from './create-and-run-in-bare-root.ts'

/** Script that waits for `/readyz`, requests a visitor's pages and prints each status, then tries to write a file. */
const visit = `
  const at = 'http://127.0.0.1:3000'
  const status = (path) => fetch(at + path).then((answer) => answer.status, () => 0)
  for (let tries = 0; tries < 200 && await status('/readyz') !== 200; tries++) await new Promise((go) => setTimeout(go, 50))
  for (const path of ['/readyz', '/', '/login', '/favicon.svg']) console.log(path, await status(path))
  try { (await import('node:fs')).writeFileSync('/opt/latchkey/mark', ''); console.log('it can be written') }
  catch (error) { console.log(error.code) }`

describe.skipIf(!canIsolate())('A release on a machine with Node alone (root, unshare and ip make it)', () => {
  beforeAll(() => ensureBuild())

  it('imports a business, serves it and stops', () => {
    const folder = temporaryFolder()
    const bare = createBareRoot(join(folder, 'root'))
    const writable = join(folder, 'data')
    mkdirSync(writable)
    // A strict umask, as a careful engineer's shell has it.
    const umask = process.umask(0o077)
    assemble(join(bare, 'opt/latchkey'), '9.8.7')
    // Another user must be able to read the business.
    process.umask(0o022)
    cpSync(join(root, 'docs/sample-operator'), join(bare, 'srv/business'), { recursive: true })
    process.umask(umask)
    const env = { ...PRODUCTION, DATA_DIR: '/var/lib/latchkey', TRUST_PROXY: '1', DRAIN_MS: '0', LOG_LEVEL: 'fatal' }
    const ran = runBare(
      { root: bare, writable, env },
      `$bare /usr/bin/node /opt/latchkey/operator/launch.mjs import /srv/business > /dev/null
      $bare /usr/bin/node /opt/latchkey/server/launch.mjs &
      server=$!
      $bare /usr/bin/node --input-type=module -e "${visit.replaceAll('"', '\\"').replaceAll('$', '\\$')}"
      kill -TERM $server
      code=0; wait $server || code=$?
      echo "ended with $code"`,
    )
    expect(ran.stderr).not.toMatch(/Error|cannot/)
    expect(ran.stdout.trim().split('\n')).toEqual([
      '/readyz 200',
      '/ 200',
      '/login 200',
      '/favicon.svg 200',
      'EROFS',
      'ended with 0',
    ])
    const db = new DatabaseSync(join(writable, 'latchkey.sqlite'), { readOnly: true })
    expect(db.prepare('select version, mode from installations').all()).toEqual([
      { version: '9.8.7', mode: 'production' },
    ])
    db.close()
    rmSync(folder, { recursive: true })
  }, 60_000)
})
