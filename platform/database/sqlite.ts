import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryCompiler,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { sqliteErrorCode } from '../../ports/errors/error-code-and-message.ts'
import { statementSpan } from '../../ports/tracing.ts'
import { dropOldestEntry } from '../drop-oldest-entry.ts'
import { DatabaseUnavailable, replaceNulCharacters } from './engine-differences.ts'
import { LiteralSqliteQueryCompiler } from './sqlite-literal-query-compiler.ts'
import { statementName } from './trace-span-statement-name.ts'

/**
 * SQLite's own wait for a lock, in milliseconds. It blocks the process, so it is short; `#retryWhileBusy` waits without
 * blocking.
 */
const BLOCKING_WAIT_MS = 10
const MAX_ATTEMPTS = 150
const CACHED_STATEMENTS = 500

/** SQLite's primary result codes, see https://sqlite.org/rescode.html */
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && [CORRUPT, NOT_A_DATABASE].includes(sqliteErrorCode(error))

function translateError(error: unknown): unknown {
  switch (sqliteErrorCode(error)) {
    case BUSY:
    case LOCKED:
      return new DatabaseUnavailable('busy', error)
    case FULL:
      return new DatabaseUnavailable('full', error)
    case IO_ERROR:
    case CANNOT_OPEN:
    case READ_ONLY:
      return new DatabaseUnavailable('lost', error)
  }
  if (error instanceof Error && error.message === 'database is not open')
    return new DatabaseUnavailable('closed', error)
  return error
}

/** Opens an SQLite file and sets its pragmas. @throws DatabaseUnavailable */
export function openSqliteFile(file: string, options: { readOnly: boolean; cacheMb?: number }): DatabaseSync {
  try {
    const db = new DatabaseSync(file, { readOnly: options.readOnly, timeout: 5000 })
    // LIKE is case-sensitive, as on PostgreSQL.
    db.exec(
      `pragma foreign_keys = on; pragma case_sensitive_like = on; pragma temp_store = memory; pragma cache_size = ${-1000 * (options.cacheMb ?? 32)}`,
    )
    if (!options.readOnly) {
      // FULL syncs the WAL at every commit; `openDatabase` uses `WalFlusher` instead.
      db.exec(
        'pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = 4000',
      )
    }
    db.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
    return db
  } catch (error) {
    throw translateError(error)
  }
}

/**
 * Syncs the WAL for several commits at once (group commit). The connection commits with `synchronous = normal`, and one
 * fdatasync outside of SQLite covers all commits before it: a sync within SQLite would block every request of the
 * process.
 */
export class WalFlusher {
  readonly #file: string
  readonly #sync: (descriptor: number, end: (error: Error | null) => void) => void
  #descriptor: number | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** @param sync fdatasync, or a replacement in tests */
  constructor(
    db: DatabaseSync,
    file: string,
    sync: (descriptor: number, end: (error: Error | null) => void) => void = fdatasync,
  ) {
    this.#file = `${file}-wal`
    this.#sync = sync
    db.exec('pragma synchronous = normal')
  }

  /** Resolves when every commit before the call is durable. @throws DatabaseUnavailable */
  flush(): Promise<void> {
    // A running sync may have missed the last commit.
    this.#next ??= (this.#running ?? Promise.resolve()).then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  close(): void {
    // Closing a file ends the process's POSIX locks on it. SQLite has none on the WAL file, so this is safe.
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #begin(): Promise<void> {
    this.#running = this.#next
    this.#next = undefined
    return new Promise<void>((resolve, reject) => {
      const end = (error: unknown) => (error ? reject(new DatabaseUnavailable('lost', error)) : resolve())
      try {
        this.#descriptor ??= openSync(this.#file, 'r+')
        this.#sync(this.#descriptor, end)
      } catch (error) {
        end(error)
      }
    })
  }
}

/** Returns a row as an object, with the cells under their columns' names. */
export function rowOf(names: readonly string[], cells: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) row[name] = cells[index]
  return row
}

function adaptDatabase(db: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>()
  function adapt(statement: StatementSync, sql: string): SqliteStatement {
    let names = statement.columns().map((column) => column.name)
    // Rows are read as arrays, since the row objects of `node:sqlite` have no prototype and would have to be copied.
    statement.setReturnArrays(true)
    function row(values: unknown): Record<string, unknown> {
      const cells = values as unknown[]
      // SQLite has re-prepared the statement after a change of the table.
      if (cells.length !== names.length) names = statement.columns().map((column) => column.name)
      return rowOf(names, cells)
    }
    const toBindable = (parameters: readonly unknown[]) => replaceNulCharacters(parameters) as SQLInputValue[]
    return {
      // `returning` returns rows, a plain `insert` does not.
      reader: names.length > 0,
      all: (parameters) => statement.all(...toBindable(parameters)).map(row),
      run: (parameters) => statement.run(...toBindable(parameters)),
      *iterate(parameters) {
        // The next query with the same text would reset a cached statement.
        const streaming = db.prepare(sql)
        streaming.setReturnArrays(true)
        for (const values of streaming.iterate(...toBindable(parameters))) yield row(values)
      },
    }
  }
  return {
    prepare(sql) {
      const cached = cache.get(sql)
      if (cached) {
        // Moves the statement to the end, so that the least recently used one is first.
        cache.delete(sql)
        cache.set(sql, cached)
        return cached
      }
      const fresh = adapt(db.prepare(sql), sql)
      if (/^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i.test(sql)) {
        cache.set(sql, fresh)
        if (cache.size > CACHED_STATEMENTS) dropOldestEntry(cache)
      }
      return fresh
    },
    close() {
      cache.clear()
      db.close()
    },
  }
}

/**
 * Returns a database whose reads, except streamed ones, use the writing connection while that has no open transaction: a
 * write makes every other connection drop its page cache. Statements are synchronous, so no uncommitted data is read.
 */
function readThroughWriter(reader: SqliteDatabase, writer: SqliteDatabase, isFree: () => boolean): SqliteDatabase {
  return {
    prepare(sql) {
      // Statements other than selects go to the reading connection, which refuses writes.
      if (!isFree() || !/^\s*select\b/i.test(sql)) return reader.prepare(sql)
      const statement = writer.prepare(sql)
      return {
        reader: statement.reader,
        all: (parameters) => statement.all(parameters),
        run: (parameters) => statement.run(parameters),
        iterate: (parameters) => reader.prepare(sql).iterate(parameters),
      }
    },
    close: () => reader.close(),
  }
}

function traceQuery<T>(query: CompiledQuery, run: () => Promise<T>): Promise<T> {
  const endSpan = statementSpan(() => statementName(query), 'sqlite')
  if (!endSpan) return run()
  return run().then(
    (result) => {
      endSpan()
      return result
    },
    (error: unknown) => {
      endSpan(error)
      throw error
    },
  )
}

class RetryingSqliteDriver extends SqliteDriver {
  readonly #db: DatabaseSync
  readonly #onDamage: (why: string) => void
  readonly #wrapped = new WeakSet<DatabaseConnection>()

  constructor(db: DatabaseSync, database: SqliteDatabase, onDamage: (why: string) => void) {
    super({ database })
    this.#db = db
    this.#onDamage = onDamage
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    if (!this.#wrapped.has(connection)) {
      this.#wrapped.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query) => traceQuery(query, () => this.#retryWhileBusy(() => execute(query)))
    }
    return connection
  }

  // With deferred transactions, one of two writers that have both read would fail; with immediate ones they queue.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite itself has ended a transaction that failed because the disk is full.
    if (this.#db.isOpen && this.#db.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /**
   * Runs a database call. Outside of a transaction, repeats it while another connection holds the write lock, in at most
   * `MAX_ATTEMPTS` attempts, with pauses that do not block the event loop.
   */
  async #retryWhileBusy<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (isDamage(error)) this.#onDamage(error.message)
        const mayWait = sqliteErrorCode(error) === BUSY && !this.#db.isTransaction && attempt < MAX_ATTEMPTS
        if (!mayWait) throw translateError(error)
        await pause(5 + (attempt % 8) * 5)
      }
    }
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  // With transactional DDL Kysely migrates within one `begin immediate`, for which a second process waits.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #db: DatabaseSync
  readonly #database: SqliteDatabase
  #damage: string | null = null

  /** @param writer dialect of the writing connection, if this one only reads */
  constructor(db: DatabaseSync, writer?: NodeSqliteDialect) {
    const ownDatabase = adaptDatabase(db)
    const database = writer
      ? readThroughWriter(ownDatabase, writer.#database, () => writer.#db.isOpen && !writer.#db.isTransaction)
      : ownDatabase
    super({ database })
    this.#db = db
    this.#database = database
  }

  override createDriver(): Driver {
    return new RetryingSqliteDriver(this.#db, this.#database, (why) => {
      this.#damage ??= why
    })
  }

  /** SQLite's message about a damaged page of the file; null if none was found. */
  get damage(): string | null {
    return this.#damage
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }

  override createQueryCompiler(): QueryCompiler {
    return new LiteralSqliteQueryCompiler()
  }
}
