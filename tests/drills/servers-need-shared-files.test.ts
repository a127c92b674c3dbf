/** Several server processes on one PostgreSQL. A server with another file folder or bucket than theirs does not start. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import S3rver from 's3rver'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../platform/database/open.ts'
import { ensureBuild } from '../../server/build.mjs'
import { freePort } from '../actors/free-port.ts'
import { openSite, type Site } from '../actors/run-site-process.ts'
import { canUsePostgres, onNewPostgres, temporaryFolder } from '../support/postgres.ts'
import { PRODUCTION } from '../support/production-settings.ts'
import { openTestServices } from '../support/small-operator.ts'

const separateFilesError = 'are not where this server keeps its own'

async function openServer(databaseUrl: string, environment: Record<string, string>): Promise<Site> {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const site = await openSite({ dataDir, databaseUrl, environment: { DEMO: 'off', ...environment } })
  onTestFinished(() => site.end('SIGKILL').then(() => {}))
  return site
}

/** Starts an object store with buckets, and returns the settings with which a server uses it. */
async function startObjectStore(...buckets: string[]): Promise<Record<string, string>> {
  const port = await freePort()
  const store = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory: temporaryFolder(),
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  await store.run()
  onTestFinished(() => store.close())
  return { S3_URL: `http://127.0.0.1:${port}`, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
}

describe.skipIf(!canUsePostgres())('servers of one database', () => {
  beforeAll(() => ensureBuild())

  const checkPair = (separate: Record<string, string>[], shared: Record<string, string>) =>
    onNewPostgres('files', async (databaseUrl) => {
      const db = await openDatabase({ url: databaseUrl, dataDir: temporaryFolder() })
      await openTestServices(db)
      await db.close()
      const first = await openServer(databaseUrl, separate[0]!)
      await first.start()
      const second = await openServer(databaseUrl, separate[1]!)
      await expect(second.start()).rejects.toThrow(separateFilesError)
      // The first server continues.
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
      const third = await openServer(databaseUrl, shared)
      await third.start()
      expect(await third.end('SIGTERM')).toBe(0)
      expect(await first.end('SIGTERM')).toBe(0)
      // The second server may start alone, because the others reported that they stopped.
      await second.start()
    })

  it('with separate folders in production: the second is refused, one with the same folder is not', async () => {
    const first = temporaryFolder()
    const second = temporaryFolder()
    const folder = (FILES_DIR: string) => ({
      ...PRODUCTION,
      FILES_DIR,
      FILES_SHARED: 'on',
      HOST: '127.0.0.1',
      TRUST_PROXY: '1',
      PRINT_LOGINS: 'off',
      DEMO: 'off',
      SANDBOX_PORT: '',
      BANK_URL: '',
      BANK_KEY: '',
    })
    await checkPair([folder(first), folder(second)], folder(first))
  }, 120_000)

  it('with separate buckets: the second is refused, one with the same bucket is not', async () => {
    const store = await startObjectStore('one', 'two')
    const KEYS = PRODUCTION.KEYS as string
    const bucket = (S3_BUCKET: string) => ({ ...store, S3_BUCKET, KEYS })
    await checkPair([bucket('one'), bucket('two')], bucket('one'))
  }, 120_000)
})
