import { copyFileSync, rmSync } from 'node:fs'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, describe, onTestFinished, TestRunner } from 'vitest'
import {
  type Database,
  type DatabasePlace,
  DatabaseUnavailable,
  type Engine,
  openDatabase,
  sqliteFile,
} from '../../platform/database/open.ts'
import {
  canUsePostgres,
  dropPostgresDatabase,
  emptyPostgresDatabase,
  freshPostgresDatabase,
  readPristineState,
  temporaryFolder,
} from './postgres.ts'

export { temporaryFolder } from './postgres.ts'

const places = new WeakMap<Database, DatabasePlace>()
let template: Promise<string> | undefined

/** Returns the location of a test's database, with which this or another process can open it again. */
export function placeOf(db: Database): DatabasePlace {
  const place = places.get(db)
  if (!place) throw new Error('Not a database that a test has opened')
  return place
}

/**
 * Runs the same tests on SQLite and, where PostgreSQL is available, on PostgreSQL. Each call of `open` returns a
 * fresh, migrated database. One opened in a test or `beforeEach` is closed after that test, one opened in `beforeAll`
 * after all of them.
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
  describe(`${name} (SQLite)`, () => tests(closeAfterTests(openFreshSqlite), 'sqlite'))
  describe.skipIf(!canUsePostgres())(`${name} (PostgreSQL)`, () =>
    tests(closeAfterTests(openFreshPostgres), 'postgres'),
  )
}

/** Returns an opener of fresh SQLite databases, for tests that do not depend on the engine. */
export function openerForTests(): () => Promise<Database> {
  return closeAfterTests(openFreshSqlite)
}

/** A fresh database, and the function that removes it after it is closed. */
type Fresh = { place: DatabasePlace; db: Database; remove: () => Promise<void> }

/**
 * Wraps a database factory so that each database is closed after the test that opened it, or after all tests when
 * opened in `beforeAll`.
 */
export function closeAfterTests<Options extends unknown[]>(
  openFresh: (...options: Options) => Promise<Fresh>,
): (...options: Options) => Promise<Database> {
  const closing: (() => Promise<void>)[] = []
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()))
  })
  return async (...options) => {
    const { place, db, remove } = await openFresh(...options)
    places.set(db, place)
    const close = () => db.close().then(remove)
    if (TestRunner.getCurrentTest()) onTestFinished(close)
    else closing.push(close)
    return db
  }
}

/** Opens a copy of a migrated file, which is faster than migrating. */
async function openFreshSqlite(): Promise<Fresh> {
  template ??= sqliteTemplate()
  return copyOf(await template)
}

/** Creates a closed SQLite file, filled once, to be copied for each test. */
export async function sqliteTemplate(fill: (db: Database) => Promise<void> = async () => {}): Promise<string> {
  const dataDir = temporaryFolder()
  const db = await openDatabase({ dataDir })
  await fill(db)
  await db.close()
  return sqliteFile(dataDir)
}

/** Opens a copy of a SQLite file in a new folder. */
export async function copyOf(file: string): Promise<Fresh> {
  const dataDir = temporaryFolder()
  copyFileSync(file, sqliteFile(dataDir))
  const db = await openDatabase({ dataDir })
  // PostgreSQL returns rows without ORDER BY in any order; here SQLite returns them newest first, so that code which
  // relies on the order of insertion fails.
  const returnNewestFirst = sql`pragma reverse_unordered_selects = on`
  await returnNewestFirst.execute(db.read)
  // A flush would open the write-ahead log. The test 'acknowledges no write before it is on disk' needs it unopened.
  await db.withoutFsync((connection) => returnNewestFirst.execute(connection))
  return { place: { dataDir }, db, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** Emptied databases with open connections, for reuse, which is faster than creating and opening new ones. */
const spare: { url: string; db: Database }[] = []

async function openFreshPostgres(): Promise<Fresh> {
  const { url, db } = spare.pop() ?? (await newPostgres())
  const dataDir = temporaryFolder()
  const remove = async () => {
    if (await emptyPostgresDatabase(db.write).catch(() => false)) spare.push({ url, db })
    else {
      await db.close()
      await dropPostgresDatabase(new URL(url).pathname.slice(1))
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { place: { url, dataDir }, db: closableView(db), remove }
}

async function newPostgres(): Promise<{ url: string; db: Database }> {
  const url = await freshPostgresDatabase()
  const db = await openDatabase({ url, dataDir: temporaryFolder() })
  await readPristineState(db.write)
  return { url, db }
}

/** Wraps a shared database so that `close` ends its use by one test only and keeps its connections. */
function closableView(db: Database): Database {
  let closed = false
  const pending = new Set<Promise<unknown>>()
  const guard: KyselyPlugin = {
    transformQuery({ node }) {
      if (closed) throw new DatabaseUnavailable('closed')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  async function whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new DatabaseUnavailable('closed')
    const working = work()
    pending.add(working)
    return working.finally(() => pending.delete(working))
  }
  return {
    ...db,
    read: db.read.withPlugin(guard),
    write: db.write.withPlugin(guard),
    transaction: (work) => whileOpen(() => db.transaction(work)),
    withoutFsync: (work) => whileOpen(() => db.withoutFsync((on) => work(on.withPlugin(guard)))),
    ping: () => whileOpen(() => db.ping()),
    async close() {
      closed = true
      await Promise.allSettled(pending)
    },
  }
}
