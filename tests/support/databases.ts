import { copyFileSync, rmSync } from 'node:fs'
import { afterAll, describe, onTestFinished, TestRunner } from 'vitest'
import {
  type Database,
  type DatabasePlace,
  type Engine,
  openDatabase,
  sqliteFile,
} from '../../platform/database/open.ts'
import { freshPostgresDatabase, postgresIsAtHand, releasePostgresDatabase, temporaryFolder } from './postgres.ts'

export { temporaryFolder } from './postgres.ts'

const places = new WeakMap<Database, DatabasePlace>()
let template: Promise<string> | undefined

/** Where a test's database is, to open it once more: in this process (`openDatabase`) or in another. */
export function placeOf(db: Database): DatabasePlace {
  const place = places.get(db)
  if (!place) throw new Error('Not a database that a test has opened')
  return place
}

/**
 * Runs the same tests on SQLite and on PostgreSQL. Each call of `open` answers a fresh, migrated database of its own: in a
 * test or `beforeEach` it is closed after the test, in `beforeAll` after them all.
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

/** A database that stands ready to be opened, and what takes it away again. */
type Fresh = { place: DatabasePlace; remove: () => Promise<void> }

/** Opens such databases: closed after the test that opened one, or after all where that was in `beforeAll`. */
export function keeping<Of extends unknown[]>(fresh: (...of: Of) => Promise<Fresh>): (...of: Of) => Promise<Database> {
  const closing: (() => Promise<void>)[] = []
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()))
  })
  return async (...of) => {
    const { place, remove } = await fresh(...of)
    const db = await openDatabase(place)
    places.set(db, place)
    const close = () => db.close().then(remove)
    if (TestRunner.getCurrentTest()) onTestFinished(close)
    else closing.push(close)
    return db
  }
}

/** Copying a migrated file is quicker than migrating. */
async function openFreshSqlite(): Promise<Fresh> {
  template ??= sqliteTemplate()
  return copyOf(await template)
}

/** A closed SQLite file, filled once and then copied for each test. */
export async function sqliteTemplate(fill: (db: Database) => Promise<void> = async () => {}): Promise<string> {
  const dataDir = temporaryFolder()
  const db = await openDatabase({ dataDir })
  await fill(db)
  await db.close()
  return sqliteFile(dataDir)
}

export function copyOf(file: string): Fresh {
  const dataDir = temporaryFolder()
  copyFileSync(file, sqliteFile(dataDir))
  return { place: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

async function openFreshPostgres(): Promise<Fresh> {
  const url = await freshPostgresDatabase()
  const dataDir = temporaryFolder()
  return {
    place: { url, dataDir },
    remove: async () => {
      await releasePostgresDatabase(url)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
