/** A SQLite business restored from its backup can be read. It takes and sends nothing until it is resumed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../platform/database/open.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { ensureBuild } from '../../server/build.mjs'
import { openCardPage } from '../actors/payer.ts'
import { availableKinds, reserve, signLease } from '../actors/renter.ts'
import { openSite, operator } from '../actors/site.ts'
import { Visitor } from '../actors/visitor.ts'
import { temporaryFolder } from '../support/databases.ts'
import { rowsOf } from '../support/rows.ts'

beforeAll(() => ensureBuild())

it('A restored business can be read, and sends and charges nothing until it is resumed', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const sandbox = await startSandbox({ port: 0, dataDir: temporaryFolder() })
  onTestFinished(() => sandbox.close())
  const site = await openSite({ dataDir, sandboxUrl: sandbox.url })
  onTestFinished(async () => void (await site.end('SIGKILL')))
  const says = async (path: string) => (await fetch(`${site.url}${path}`)).text()
  const command = (...words: string[]) => operator(words, { dataDir }, sandbox.url).ended

  await site.start()
  await site.end('SIGTERM')
  const backup = join(temporaryFolder(), 'backup.sqlite')
  expect((await command('backup', backup)).code).toBe(0)
  await site.start()
  expect(await says('/readyz')).toBe('ready')
  await site.end('SIGTERM')
  expect((await command('restore', backup)).said).toContain('resume --after-restore')

  await site.start()
  expect(await says('/readyz')).toMatch(/^ready\nThis database was put back .*resume --after-restore$/)
  expect(await says('/metrics')).toContain('latchkey_restored 1')
  expect((await fetch(`${site.url}/`)).status).toBe(200)
  const visitor = new Visitor(site, '10.1.1.1', { tries: 0 })
  const kind = availableKinds[0]!
  expect(await reserve(visitor, kind, 'kim@example.com')).not.toBeNull()
  await signLease(visitor, kind.code)
  const order = { location_code: kind.code }
  await expect(openCardPage(visitor, order)).rejects.toThrow('Failed to initialize payment')
  expect(await command('billing')).toMatchObject({ code: 1, said: expect.stringContaining('was put back') })
  const db = await openDatabase({ dataDir, readOnly: true })
  const waiting = await rowsOf(db, 'jobs', ['attempts'], { state: 'waiting' })
  expect(waiting.length).toBeGreaterThan(0)
  expect(waiting.filter(({ attempts }) => attempts > 0)).toEqual([])
  await db.close()

  expect((await command('resume')).said).toMatch(/was put back; it ends soon after .*\n\d+ mails and other jobs wait/)
  expect((await command('resume', '--after-restore')).said).toContain('Resumed.')
  expect((await command('resume')).said).toContain('nothing is held')
  // Three starts and six commands, each in its own process, take minutes on a busy machine.
}, 600_000)
