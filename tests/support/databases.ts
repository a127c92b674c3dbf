import { copyFileSync, rmSync } from 'node:fs'
import { afterAll, describe } from 'vitest'
import {
  type Database,
  type DatabasePlace,
  type Engine,
  openDatabase,
  sqliteFile,
} from '../../platform/database/open.ts'
import { createPostgresDatabase, dropPostgresDatabase, postgresIsAtHand, temporaryFolder } from './postgres.ts'

export { temporaryFolder } from './postgres.ts'

const places = new WeakMap<Database, DatabasePlace>()
let made = 0
let template: Promise<string> | undefined

/** Where a test's database is, to open it once more: in this process (`openDatabase`) or in another. */
export function placeOf(db: Database): DatabasePlace {
  const place = places.get(db)
  if (!place) throw new Error('Not a database that a test has opened')
  return place
}

/**
 * Runs the same tests on SQLite and on PostgreSQL. Each call of `open` answers a fresh, migrated database of its own
 * (call it in `beforeAll` to share one, in each test for one each); all are closed and removed at the end.
 *
 *     describeOnBothEngines('Counters', (open) => {
 *       let db: Database
 *       beforeAll(async () => { db = await open() })
 *       it('…', async () => { await db.transaction(async (tx) => …) })
 *     })
 */
export function describeOnBothEngines(
  name: string,
  tests: (open: () => Promise<Database>, engine: Engine) => void,
): void {
  describe(`${name} (SQLite)`, () => tests(keeping(openFreshSqlite), 'sqlite'))
  describe.skipIf(!postgresIsAtHand())(`${name} (PostgreSQL)`, () => tests(keeping(openFreshPostgres), 'postgres'))
}

/** For tests that need some database and nothing of the engines' differences: fresh SQLite, removed after the file's tests. */
export function openerForTests(): () => Promise<Database> {
  return keeping(openFreshSqlite)
}

type Fresh = { place: DatabasePlace; remove: () => Promise<void> }

function keeping(fresh: () => Promise<Fresh>): () => Promise<Database> {
  const opened: { db: Database; remove: () => Promise<void> }[] = []
  afterAll(async () => {
    await Promise.all(opened.map(async ({ db, remove }) => db.close().then(remove)))
  })
  return async () => {
    const { place, remove } = await fresh()
    const db = await openDatabase(place)
    places.set(db, place)
    opened.push({ db, remove })
    return db
  }
}

/** Copying a migrated file is quicker than migrating. */
async function openFreshSqlite(): Promise<Fresh> {
  template ??= (async () => {
    const folder = temporaryFolder()
    await (await openDatabase({ dataDir: folder })).close()
    return sqliteFile(folder)
  })()
  const from = await template
  const dataDir = temporaryFolder()
  copyFileSync(from, sqliteFile(dataDir))
  return { place: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

async function openFreshPostgres(): Promise<Fresh> {
  const name = `latchkey_${process.pid}_${process.env.VITEST_WORKER_ID ?? 0}_${++made}`
  const url = await createPostgresDatabase(name)
  const dataDir = temporaryFolder()
  return {
    place: { url, dataDir },
    remove: async () => {
      await dropPostgresDatabase(name)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
