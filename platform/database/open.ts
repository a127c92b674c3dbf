import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type KyselyPlugin, SelectQueryNode, sql, type Transaction } from 'kysely'
import { applyContractMigrations, migrateToLatest } from '../schema/migrations/migrate.ts'
import type { Tables } from '../schema/tables.ts'
import { runWithAfterCommit } from './after-commit.ts'
import { DatabaseUnavailable, type Engine, UnsafePooling } from './engine-differences.ts'
import { PooledPostgresDialect, type PoolLimits } from './postgres.ts'
import { NodeSqliteDialect, openSqliteFile, WalFlusher } from './sqlite.ts'
import { repeatAfterConflict } from './transaction-retry.ts'

export type { Transaction } from 'kysely'
export {
  DatabaseUnavailable,
  type Engine,
  engineOf,
  isUniqueViolation,
  skipLocked,
  UnsafePooling,
} from './engine-differences.ts'

/** Location of the database and how to open it: PostgreSQL if `url` is given, else SQLite in `dataDir`. */
export interface DatabasePlace {
  url?: string
  dataDir: string
  readOnly?: boolean
  /** Page cache of SQLite's writing connection in MB, 32 by default. */
  cacheMb?: number
  /** Settings of PostgreSQL. */
  settings?: Partial<PostgresSettings>
}

export interface PostgresSettings {
  connections: number
  /** Maximum number of connections for `withoutFsync`; opened on demand. */
  withoutFsyncConnections: number
  /** Statement timeout in milliseconds. */
  statementMs: number
  /** Set if connections go through a pooler, which shares them between transactions. */
  pooled: boolean
}

/** Defaults of the PostgreSQL settings that the caller omits. */
export const POSTGRES_DEFAULTS: PostgresSettings = {
  connections: 10,
  withoutFsyncConnections: 4,
  statementMs: 15_000,
  pooled: false,
}

/** An open database, SQLite or PostgreSQL. */
export interface Database {
  readonly engine: Engine
  /** Runs single statements that write; use `transaction` for several that belong together. */
  readonly write: Kysely<Tables>
  /** Kysely instance that reads committed data and never waits for a writer. */
  readonly read: Kysely<Tables>
  /**
   * Runs `work` in one transaction and repeats it after a failure such as a deadlock (`isRepeatableFailure`), so it must
   * have no effect outside `tx`.
   * @throws DatabaseUnavailable
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Runs a statement whose commit does not wait for fsync, so that a power cut may lose it. */
  withoutFsync<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * Resolves when all writes committed before the call are durable, except those of `withoutFsync` on PostgreSQL; awaited
   * before an outside effect that depends on them.
   */
  flush(): Promise<void>
  /** Checks that the database responds. @throws DatabaseUnavailable */
  ping(): Promise<void>
  /** Returns SQLite's message about a damaged page of its file; null if none was found, and on PostgreSQL. */
  damage(): string | null
  /** Waits for open transactions, then closes. */
  close(): Promise<void>
}

export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'latchkey.sqlite')
}

/**
 * Opens the database and, unless `readOnly` is set, migrates it.
 * @throws DatabaseUnavailable; SchemaVersionMismatch; UnsafePooling; Error naming the migration that fails
 */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  return place.url ? openPostgres(place.url, place) : openSqlite(place)
}

/**
 * Applies all pending migrations, contract migrations included; no server of an older version may run.
 * @throws DatabaseUnavailable; SchemaVersionMismatch; Error naming the migration that fails
 */
export const contractDatabase = (place: DatabasePlace): Promise<void> =>
  withMigrationConnection(place, (db) => applyContractMigrations(db))

async function withMigrationConnection(
  { dataDir, url, settings }: DatabasePlace,
  work: (db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: url
      ? // A migration may take longer than the statement timeout of the pool.
        new PooledPostgresDialect(url, { connections: 2, statementMs: 0, pooled: settings?.pooled ?? false })
      : new NodeSqliteDialect(openSqliteFile(sqliteFile(dataDir), { readOnly: false })),
  })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

async function openSqlite({ dataDir, readOnly, cacheMb }: DatabasePlace): Promise<Database> {
  const file = sqliteFile(dataDir)
  if (readOnly) {
    if (!existsSync(file)) throw new DatabaseUnavailable('lost', new Error(`there is no ${file}`))
    const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(openSqliteFile(file, { readOnly: true })) })
    return assemble('sqlite', db, db)
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await withMigrationConnection({ dataDir }, (db) => migrateToLatest(db))
  const writer = openSqliteFile(file, { readOnly: false, ...(cacheMb && { cacheMb }) })
  try {
    const writerDialect = new NodeSqliteDialect(writer)
    const write = new Kysely<Tables>({ dialect: writerDialect })
    const readerDialect = new NodeSqliteDialect(openSqliteFile(file, { readOnly: true }), writerDialect)
    const read = new Kysely<Tables>({ dialect: readerDialect })
    // Kysely closes only connections that it has used, and this one must be closed even if nothing reads from it.
    await sql`select 1`.execute(read)
    return assemble('sqlite', write, read, {
      log: new WalFlusher(writer, file),
      damage: () => writerDialect.damage ?? readerDialect.damage,
    })
  } catch (error) {
    if (writer.isOpen) writer.close()
    throw error
  }
}

async function openPostgres(url: string, { readOnly = false, settings }: DatabasePlace): Promise<Database> {
  const { connections, withoutFsyncConnections, statementMs, pooled } = { ...POSTGRES_DEFAULTS, ...settings }
  const openPool = (limits: PoolLimits) =>
    new Kysely<Tables>({ dialect: new PooledPostgresDialect(url, { ...limits, pooled }) })
  if (!readOnly)
    await withMigrationConnection({ dataDir: '', url, ...(settings && { settings }) }, (db) => migrateToLatest(db))
  const db = openPool({ connections, statementMs, readOnly })
  try {
    const { rows } = await sql<{ is: string }>`select current_setting('synchronous_commit') as "is"`.execute(db)
    if (pooled && ['off', 'local'].includes(rows[0]!.is)) throw new UnsafePooling(rows[0]!.is)
  } catch (error) {
    await db.destroy()
    throw error
  }
  if (readOnly) return assemble('postgres', db, db)
  const withoutFsync = openPool({ connections: withoutFsyncConnections, statementMs, withoutFsync: true })
  return assemble('postgres', db, db, { withoutFsync })
}

/** A Kysely plugin that completes a single write after fsync; the connection is free meanwhile. */
function flushAfterWrites(log: WalFlusher): KyselyPlugin {
  const selects = new WeakSet<object>()
  return {
    transformQuery({ node, queryId }) {
      if (SelectQueryNode.is(node)) selects.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (!selects.has(queryId)) await log.flush()
      return result
    },
  }
}

/**
 * Builds a `Database` from its connections.
 * @param disk `log` flushes the WAL; commits on `withoutFsync` do not wait for fsync; `damage` returns the message
 *   about a damaged SQLite file
 */
function assemble(
  engine: Engine,
  write: Kysely<Tables>,
  read: Kysely<Tables>,
  disk: { log?: WalFlusher; withoutFsync?: Kysely<Tables>; damage?: () => string | null } = {},
): Database {
  const { log } = disk
  const transactionScope = new AsyncLocalStorage<{ open: boolean }>()
  // Inside a transaction, a write on the outer connection would deadlock on SQLite; any other query would run outside
  // the transaction.
  const guard: KyselyPlugin = {
    transformQuery({ node }) {
      if (transactionScope.getStore()?.open)
        throw new Error('Inside a transaction, query its tx and not the outer connection')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const guardedWrite = write.withPlugin(guard)
  const guardedRead = write === read ? guardedWrite : read.withPlugin(guard)
  const writeWithoutFsync = disk.withoutFsync?.withPlugin(guard) ?? guardedWrite
  const syncedWrite = log ? guardedWrite.withPlugin(flushAfterWrites(log)) : guardedWrite
  let closing: Promise<void> | undefined

  async function runTransaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    const scope = { open: true }
    try {
      return await runWithAfterCommit((begun) =>
        write.transaction().execute((tx) => {
          begun(tx)
          return transactionScope.run(scope, () => work(tx))
        }),
      )
    } finally {
      scope.open = false
    }
  }

  return {
    engine,
    write: syncedWrite,
    read: guardedRead,

    async transaction(work) {
      if (closing) throw new DatabaseUnavailable('closed')
      if (transactionScope.getStore()?.open) throw new Error('A transaction inside a transaction: pass its tx on')
      return repeatAfterConflict(async () => {
        const result = await runTransaction(work)
        await log?.flush()
        return result
      })
    },

    withoutFsync: (work) => work(writeWithoutFsync),

    async flush() {
      await log?.flush()
    },

    async ping() {
      if (closing) throw new DatabaseUnavailable('closed')
      await sql`select 1`.execute(guardedRead)
    },

    damage: () => disk.damage?.() ?? null,

    close() {
      closing ??= (async () => {
        // Waits for SQLite's queue; a PostgreSQL pool does so itself.
        if (engine === 'sqlite') await write.connection().execute(async () => {})
        await log?.flush()
        if (read !== write) await read.destroy()
        await disk.withoutFsync?.destroy()
        await write.destroy()
        log?.close()
      })()
      return closing
    },
  }
}
