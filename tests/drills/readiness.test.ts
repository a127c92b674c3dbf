/** Readiness says what is wrong and what to do. An empty business, a damaged file or a full disk is never ready. */
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sqliteFile } from '../../platform/database/open.ts'
import { ensureBuild } from '../../server/build.mjs'
import { createReadinessCheck } from '../../server/readiness.ts'
import { freePort } from '../actors/free-port.ts'
import { end, environmentOf, hasEnded, openSite, run } from '../actors/run-site-process.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../support/databases.ts'
import { openTestServices } from '../support/small-operator.ts'

function overwrite(file: string, from: number, to: number): void {
  const bytes = Buffer.alloc(to - from, 0xa5)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, from)
  closeSync(descriptor)
}

describeOnBothEngines('Readiness', (open, engine) => {
  async function watch(parts: Partial<Parameters<typeof createReadinessCheck>[0]> = {}) {
    const db = await open()
    const logged: string[] = []
    const readiness = createReadinessCheck({
      db,
      dataDir: placeOf(db).dataDir,
      demo: false,
      beat: async () => {},
      filesApart: () => null,
      log: { error: (message: string) => void logged.push(message) },
      freeBytes: async () => 1e9,
      ...parts,
    })
    onTestFinished(() => readiness.stop())
    return { db, readiness, logged }
  }

  it('waits for a facility, then for the database and its disk, and logs each trouble once', async () => {
    let free = 1e9
    let writes = true
    const { db, readiness, logged } = await watch({
      freeBytes: async () => free,
      async beat() {
        if (!writes) throw new Error('The disk is full')
      },
    })
    expect((await readiness.problems()).join()).toMatch(/There is no facility in this database\. .*import/)
    await openTestServices(db)
    expect(await readiness.problems()).toEqual([])
    writes = false
    expect((await readiness.problems()).join()).toMatch(/takes no write: The disk is full/)
    await readiness.problems()
    expect(logged).toHaveLength(2)
    writes = true
    free = 1e8
    expect((await readiness.problems()).join()).toMatch(
      engine === 'sqlite' ? /Less than 200 MB are free in .*95 MB/ : /^$/,
    )
    free = 1e9
    expect(await readiness.problems()).toEqual([])
    await db.close()
    expect((await readiness.problems()).join()).toContain('takes no write')
  })

  it('stays ready for pages during one minute without the database', async () => {
    let now = 0
    let writes = true
    const { db, readiness } = await watch({
      monotonic: () => now,
      async beat() {
        if (!writes) throw new Error('The primary is gone')
      },
    })
    await openTestServices(db)
    writes = false
    expect(await readiness.problems(true)).toHaveLength(1)
    writes = true
    expect(await readiness.problems(true)).toEqual([])
    writes = false
    now = 59_000
    expect(await readiness.problems(true)).toEqual([])
    expect(await readiness.problems()).toHaveLength(1)
    now = 60_000
    expect(await readiness.problems(true)).toHaveLength(1)
  })

  it.runIf(engine === 'sqlite')('ends once a statement has met damage in a file that is in use', async () => {
    const { db, readiness } = await watch()
    await openTestServices(db)
    expect(await readiness.problems()).toEqual([])
    await sql`pragma wal_checkpoint(truncate)`.execute(db.write)
    await sql`pragma shrink_memory`.execute(db.write)
    const file = sqliteFile(placeOf(db).dataDir)
    overwrite(file, 8192, statSync(file).size)
    await expect(db.read.selectFrom('units').selectAll().execute()).rejects.toThrow(/malformed/)
    expect(await readiness.problems()).toEqual([expect.stringMatching(/is damaged .*malformed.*restore/)])
    expect(await readiness.problems(true)).toHaveLength(1)
  })

  it('reports that the files are not those of the other servers', async () => {
    const { db, readiness } = await watch({ filesApart: () => 'The files of another are not here.' })
    await openTestServices(db)
    expect(await readiness.problems()).toEqual(['The files of another are not here.'])
  })
})

describe('A server on SQLite', () => {
  beforeAll(() => ensureBuild())

  async function createDemo(): Promise<string> {
    const dataDir = join(temporaryFolder(), 'data')
    mkdirSync(dataDir)
    const site = await openSite({ dataDir })
    await site.start()
    expect(await site.end('SIGTERM')).toBe(0)
    return dataDir
  }

  /**
   * Starts a server, waits until the response of `/readyz` matches a pattern, and kills the server.
   * @returns status and text of the response; or exit code and output, when the process ended first
   */
  async function startUntil(dataDir: string, pattern: RegExp): Promise<string> {
    const port = await freePort()
    const sandboxPort = await freePort()
    const running = run(['server/launch.mjs'], {
      ...environmentOf({ dataDir }),
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DEMO: 'off',
      LOG_LEVEL: 'error',
    })
    onTestFinished(() => void running.child.kill('SIGKILL'))
    for (let tries = 0; tries < 600; tries++) {
      if (hasEnded(running.child)) return `${running.child.exitCode}: ${running.output()}`
      const text = await fetch(`http://127.0.0.1:${port}/readyz`)
        .then(async (answer) => `${answer.status} ${await answer.text()}`)
        .catch(() => '')
      if (pattern.test(text)) {
        await end(running, 'SIGKILL')
        return text
      }
      await pause(50)
    }
    throw new Error(`Not said in time:\n${running.output()}`)
  }

  it('is not ready or does not start after its file was overwritten or deleted, and names the remedy', async () => {
    const dataDir = await createDemo()
    const file = sqliteFile(dataDir)
    const { size } = statSync(file)
    overwrite(file, Math.floor(size * 0.7), Math.floor(size * 0.9))
    const damaged = /is damaged .*operator -- restore/
    expect(await startUntil(dataDir, damaged)).toMatch(damaged)
    // The write-ahead log of the killed server may hold a good copy of the first page, which hides the damage.
    for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
    overwrite(file, 0, 4096)
    expect(await startUntil(dataDir, damaged)).toMatch(
      /^1: [\s\S]*Latchkey cannot start:[\s\S]*is damaged .*operator -- restore/,
    )
    for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
    expect(await startUntil(dataDir, /no facility/)).toMatch(/^503 .*There is no facility in this database/)
  }, 120_000)
})
