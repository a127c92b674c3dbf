/** A SQLite business restored from its backup can be read. It charges and sends nothing until it is resumed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { demoGateToken } from '../../demo/gates.ts'
import { demoPassword } from '../../demo/tenants-with-leases-and-reservations.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { ensureBuild } from '../../server/build.mjs'
import { openCardPage } from '../actors/payer.ts'
import { availableKinds, reserve, signLease } from '../actors/renter.ts'
import { ON_SEEDED_DEMO, openSite, operator, type Site } from '../actors/run-site-process.ts'
import { Visitor } from '../actors/visitor-http-client.ts'
import { temporaryFolder } from '../support/databases.ts'
import { rowsOf } from '../support/rows.ts'

beforeAll(() => ensureBuild())

const tenant = { username: 'marcus.tilley@example.com', facility: 'ATL01' }
/** Sentence on a tenant's page when the gate has acknowledged the tenant's code, at any hour. */
const codeTaken = /Opens (?:now|today|tomorrow|\w+day)\b/
/** Sentence on a tenant's page when the gate has not acknowledged the tenant's code. */
const codeNotTaken = /Being given to the gate|The gate has not taken your code yet/
const WITHIN_TWENTY_SECONDS = { timeout: 20_000, interval: 200 }

/**
 * Requests the list of the tenant's gate.
 * @param etag etag of the list in force at the gate, which acknowledges that list
 */
async function fetchGateList({ url }: Site, etag = ''): Promise<{ status: number; etag: string }> {
  const headers = { authorization: `Bearer ${demoGateToken}`, ...(etag && { 'if-none-match': etag }) }
  const { status, headers: responseHeaders } = await fetch(`${url}/api/gate/${tenant.facility}/state`, { headers })
  return { status, etag: responseHeaders.get('etag') ?? '' }
}

const epochOf = (etag: string): string => etag.replace(/-\d+"$/, '')

/** Returns the beginning of the sentence about the gate on the tenant's home page; '' for none. */
async function readGateSentence(site: Site): Promise<string> {
  const visitor = new Visitor(site, '10.1.1.2', { tries: 0 })
  await visitor.page('/login', { intent: 'login', username: tenant.username, password: demoPassword })
  const { html } = await visitor.page('/my-units')
  return [codeTaken, codeNotTaken].map((sentence) => sentence.exec(html)?.[0] ?? '').join('')
}

it('A restored business can be read, and sends and charges nothing until it is resumed', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const sandbox = await startSandbox({ port: 0, dataDir: temporaryFolder() })
  onTestFinished(() => sandbox.close())
  const site = await openSite({ dataDir, sandboxUrl: sandbox.url })
  onTestFinished(async () => void (await site.end('SIGKILL')))
  const fetchText = async (path: string) => (await fetch(`${site.url}${path}`)).text()
  const command = (...words: string[]) => operator(words, { dataDir }, sandbox.url).ended

  await site.start()
  // The gate of the tenant's facility gets its list and acknowledges that list.
  const { etag: before } = await fetchGateList(site)
  expect(await fetchGateList(site, before)).toEqual({ status: 304, etag: before })
  expect(await readGateSentence(site)).toMatch(codeTaken)
  await site.end('SIGTERM')
  const backup = join(temporaryFolder(), 'backup.sqlite')
  expect((await command('backup', backup)).code).toBe(0)
  await site.start(undefined, ON_SEEDED_DEMO)
  expect(await fetchText('/readyz')).toBe('ready')
  await site.end('SIGTERM')
  expect((await command('restore', backup)).output).toContain('resume --after-restore')

  await site.start(undefined, ON_SEEDED_DEMO)
  expect(await fetchText('/readyz')).toMatch(/^ready\nThis database was put back .*resume --after-restore$/)
  expect(await fetchText('/metrics')).toContain('latchkey_restored 1')
  expect((await fetch(`${site.url}/`)).status).toBe(200)
  const visitor = new Visitor(site, '10.1.1.1', { tries: 0 })
  const kind = availableKinds[0]!
  expect(await reserve(visitor, kind, 'kim@example.com')).not.toBeNull()
  await signLease(visitor, kind.code)
  const order = { location_code: kind.code }
  // An acknowledgement from before the restore counts for nothing while the database is held.
  expect((await fetchGateList(site, before)).status).toBe(503)
  await expect(openCardPage(visitor, order)).rejects.toThrow('Failed to initialize payment')
  expect(await command('billing')).toMatchObject({ code: 1, output: expect.stringContaining('was put back') })
  const db = await openDatabase({ dataDir, readOnly: true })
  const waiting = await rowsOf(db, 'jobs', ['attempts'], { state: 'waiting' })
  expect(waiting.length).toBeGreaterThan(0)
  expect(waiting.filter(({ attempts }) => attempts > 0)).toEqual([])
  await db.close()

  expect((await command('resume')).output).toMatch(/was put back; it ends soon after .*\n\d+ mails and other jobs wait/)
  expect((await command('resume', '--after-restore')).output).toContain('Resumed.')
  expect((await command('resume')).output).toContain('nothing is held')
  expect(await readGateSentence(site)).toMatch(codeNotTaken)
  await vi.waitFor(async () => expect((await fetchGateList(site, before)).status).toBe(200), WITHIN_TWENTY_SECONDS)
  const { etag: after } = await fetchGateList(site, before)
  expect(epochOf(after)).not.toBe(epochOf(before))
  // The etag of the old list acknowledges nothing of the new epoch; the etag of the new list does.
  expect(await readGateSentence(site)).toMatch(codeNotTaken)
  expect((await fetchGateList(site, after)).status).toBe(304)
  expect(await readGateSentence(site)).toMatch(codeTaken)
  // Three starts and six commands, each in its own process, take minutes on a busy machine.
}, 600_000)
