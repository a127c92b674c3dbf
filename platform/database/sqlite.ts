import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { DatabaseUnavailable } from './engine.ts'

/** Waiting inside SQLite stops every other request of the process, so it is short; the patient waiting is done by us. */
const BLOCKING_WAIT_MS = 10
/** About five seconds of pauses in all. */
const TRIES = 150
const CACHED_STATEMENTS = 500

/** The result codes behind a failure of `node:sqlite`, less the extended part; see https://sqlite.org/rescode.html */
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const FULL = 13
const CANNOT_OPEN = 14

function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

function translated(error: unknown): unknown {
  switch (resultCode(error)) {
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

/** Opens a file with the settings every connection of ours has. @throws DatabaseUnavailable */
export function openSqliteFile(file: string, how: { readOnly: boolean; cacheMb?: number }): DatabaseSync {
  try {
    const db = new DatabaseSync(file, { readOnly: how.readOnly, timeout: 5000 })
    // LIKE tells case apart, as PostgreSQL does.
    db.exec(
      `pragma foreign_keys = on; pragma case_sensitive_like = on; pragma temp_store = memory; pragma cache_size = ${-1000 * (how.cacheMb ?? 32)}`,
    )
    if (!how.readOnly) {
      // FULL syncs the log at every commit: what was acknowledged survives a power cut. See `SqliteLog` for the server's own.
      db.exec(
        'pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = 4000',
      )
    }
    db.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
    return db
  } catch (error) {
    throw translated(error)
  }
}

/**
 * The write-ahead log of an open file, brought to the disk for several commits at once and beside the work: a commit that
 * syncs within SQLite holds up every other request of the process for as long as the disk takes.
 *
 * Its connection commits with `synchronous = normal`, which writes the log and leaves the syncing to us; what is on the
 * disk of the log then survives a power cut as after a commit with FULL, and all that was committed before it.
 */
export class SqliteLog {
  readonly #file: string
  readonly #sync: (descriptor: number, end: (error: Error | null) => void) => void
  #descriptor: number | undefined
  #underWay: Promise<void> | undefined
  #next: Promise<void> | undefined

  /**
   * @param db the connection that writes, from now on without syncing by itself
   * @param sync brings a file to the disk and says when that is done
   */
  constructor(
    db: DatabaseSync,
    file: string,
    sync: (descriptor: number, end: (error: Error | null) => void) => void = fdatasync,
  ) {
    this.#file = `${file}-wal`
    this.#sync = sync
    db.exec('pragma synchronous = normal')
  }

  /** Resolves when everything that was committed before the call is on the disk. @throws DatabaseUnavailable */
  synced(): Promise<void> {
    // One that has begun may have passed by what was committed since.
    this.#next ??= (this.#underWay ?? Promise.resolve()).then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #begin(): Promise<void> {
    this.#underWay = this.#next
    this.#next = undefined
    return new Promise<void>((resolve, reject) => {
      const end = (error: unknown) => (error ? reject(new DatabaseUnavailable('lost', error)) : resolve())
      try {
        // SQLite keeps the file as long as a connection is open, and locks nothing on it that closing ours would undo.
        this.#descriptor ??= openSync(this.#file, 'r+')
        this.#sync(this.#descriptor, end)
      } catch (error) {
        end(error)
      }
    })
  }
}

/**
 * A function written for the columns of one statement: the engine then knows the shape of its rows, and makes each in an
 * eighth of the time that a loop over the names takes. The names are those of our own statements and tables.
 */
export function rowMaker(names: string[]): (cells: unknown[]) => Record<string, unknown> {
  const entries = names.map((name, at) => `${JSON.stringify(name)}: cells[${at}]`)
  return new Function('cells', `return { ${entries.join(', ')} }`) as (cells: unknown[]) => Record<string, unknown>
}

/** `node:sqlite` in the shape that Kysely expects. */
function adapted(db: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>()
  function adapt(statement: StatementSync, sql: string): SqliteStatement {
    let names = statement.columns().map((column) => column.name)
    let toRow = rowMaker(names)
    // Rows become plain objects, as the other engine's are; built from arrays in half the time that copying the objects
    // of `node:sqlite`, which have no prototype, would take.
    statement.setReturnArrays(true)
    function row(values: unknown): Record<string, unknown> {
      const cells = values as unknown[]
      // A table was changed since the statement was prepared, and SQLite has prepared it again.
      if (cells.length !== names.length) {
        names = statement.columns().map((column) => column.name)
        toRow = rowMaker(names)
      }
      return toRow(cells)
    }
    return {
      // Kysely must know which statements answer rows; `returning` does, an `insert` alone does not.
      reader: names.length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])).map(row),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      *iterate(parameters) {
        // Its own statement: a cached one would be reset by the next query with the same text.
        const streaming = db.prepare(sql)
        streaming.setReturnArrays(true)
        for (const values of streaming.iterate(...(parameters as SQLInputValue[]))) yield row(values)
      },
    }
  }
  return {
    prepare(sql) {
      const known = cache.get(sql)
      if (known) {
        // Least recently used goes first.
        cache.delete(sql)
        cache.set(sql, known)
        return known
      }
      const fresh = adapt(db.prepare(sql), sql)
      if (/^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i.test(sql)) {
        cache.set(sql, fresh)
        if (cache.size > CACHED_STATEMENTS) cache.delete(cache.keys().next().value as string)
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
 * What reads, by way of the connection that writes wherever no transaction is open on that: as soon as one connection has
 * written, every other one drops all that it has in memory of the file, and after each write of a busy site whatever was
 * asked next read its pages again. A statement is over before anything else of this process runs, so it never sees what is
 * not committed. While a transaction is open, and for rows that are taken one by one, the reading connection is asked.
 */
function readingBy(reader: SqliteDatabase, writer: SqliteDatabase, isFree: () => boolean): SqliteDatabase {
  return {
    prepare(sql) {
      // Nothing that could write: the reading connection refuses that.
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

class PatientSqliteDriver extends SqliteDriver {
  readonly #db: DatabaseSync
  readonly #patient = new WeakSet<DatabaseConnection>()

  constructor(db: DatabaseSync, database: SqliteDatabase) {
    super({ database })
    this.#db = db
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    if (!this.#patient.has(connection)) {
      this.#patient.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query) => this.#patiently(() => execute(query))
    }
    return connection
  }

  // Deferred, two writers that both have read can only fail; immediate, they queue.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk has ended the transaction already; a failing rollback would hide why.
    if (this.#db.isOpen && this.#db.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Another process may be writing: ask again after a pause that lets this process go on with other work. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask()
      } catch (error) {
        const mayWait = resultCode(error) === BUSY && !this.#db.isTransaction && attempt < TRIES
        if (!mayWait) throw translated(error)
        await pause(5 + (attempt % 8) * 5)
      }
    }
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  // SQLite does take back table changes; said so, Kysely applies migrations within one transaction, and our
  // `begin immediate` is the lock that keeps a second starting process waiting.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Kysely's SQLite dialect over an open `node:sqlite` connection. `destroy()` closes it. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #db: DatabaseSync
  readonly #database: SqliteDatabase

  /** @param writing where this one only reads: the dialect of the connection that this process writes by */
  constructor(db: DatabaseSync, writing?: NodeSqliteDialect) {
    const own = adapted(db)
    const database = writing
      ? readingBy(own, writing.#database, () => writing.#db.isOpen && !writing.#db.isTransaction)
      : own
    super({ database })
    this.#db = db
    this.#database = database
  }

  override createDriver(): Driver {
    return new PatientSqliteDriver(this.#db, this.#database)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }
}
