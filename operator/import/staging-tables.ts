/** Stages rows in a SQLite file while they are checked, so that an import neither fills memory nor blocks writers. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import { columnOf, type Tables } from '../../platform/schema/tables.ts'
import { errorCode } from '../../ports/errors/error-code-and-message.ts'

/** Separator of the parts of a composite key; no cell of an import file may contain it. */
export const keySeparator = '\u001f'

const prefix = 'staging-'
/**
 * Number of imported rows written in one statement, by database engine: on SQLite a statement blocks the process, and
 * on PostgreSQL its rows are sent as one JSON text.
 */
const CHUNK_ROWS = { sqlite: 5000, postgres: 500 }

/** Set of unique values during an import, each with a text about its owner. */
export interface TakenKeys {
  /** Takes a value. @returns false if it was already taken */
  take(value: string, owner: string): boolean
  isTaken(value: string): boolean
  ownerOf(value: string): string | undefined
  handOver(value: string, owner: string): void
}

interface StagedTable {
  columns: string[]
  insert: StatementSync
  rows: number
}

/** The staged rows of an import. */
export class Staging {
  readonly #folder: string
  readonly #file: string
  readonly #db: DatabaseSync
  readonly #tables = new Map<keyof Tables, StagedTable>()
  readonly #json = new Map<keyof Tables, StatementSync>()
  #keys = 0

  /** @param folder folder with enough space for all rows; files of interrupted imports are deleted from the folder */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder))
      if (name.startsWith(prefix) && !isRunning(Number(name.split('-')[1])))
        rmSync(join(folder, name), { recursive: true, force: true })
    this.#folder = mkdtempSync(join(folder, `${prefix}${process.pid}-`))
    chmodSync(this.#folder, 0o700)
    this.#file = join(this.#folder, 'rows.sqlite')
    this.#db = new DatabaseSync(this.#file)
    // The file is temporary, so nothing is journaled or synced.
    this.#db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; begin')
  }

  /** Creates an empty set of keys. */
  keys(): TakenKeys {
    const name = `keys_${++this.#keys}`
    this.#db.exec(`create table ${name} (value text primary key, owner text not null) without rowid`)
    const take = this.#db.prepare(`insert into ${name} values (?, ?) on conflict do nothing`)
    const ownerOf = this.#db.prepare(`select owner from ${name} where value = ?`)
    const handOver = this.#db.prepare(`update ${name} set owner = ? where value = ?`)
    const isTaken = this.#db.prepare(`select 1 from ${name} where value = ?`)
    return {
      isTaken: (value) => isTaken.get(value) !== undefined,
      take: (value, owner) => take.run(value, owner).changes === 1,
      ownerOf: (value) => ownerOf.get(value)?.owner as string | undefined,
      handOver: (value, owner) => void handOver.run(owner, value),
    }
  }

  /** Creates the staging table of a database table, with these columns; does nothing if it exists. */
  prepare(table: keyof Tables, names: string[]): void {
    if (this.#tables.has(table)) return
    const definitions = names.map((name) => `"${name}" ${typeOf(table, name)}`)
    this.#db.exec(`create table "${table}" (staged_as integer primary key, ${definitions.join(', ')})`)
    const insert = this.#db.prepare(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    this.#tables.set(table, { columns: names, insert, rows: 0 })
  }

  /** Adds a row. @param row values in the order of the prepared columns */
  add(table: keyof Tables, row: readonly unknown[]): void {
    const staged = this.#tables.get(table)
    if (staged === undefined) throw new Error(`${table} is not prepared`)
    staged.insert.run(...(row as readonly SQLInputValue[]))
    staged.rows += 1
  }

  /** Counts past-due leases whose balance names no period, so that it may include periods that billing charges too. */
  countUnclearBalances(): number {
    if (!this.#tables.has('leases') || !this.#tables.has('ledger_entries')) return 0
    const query = this.#db.prepare(`
      select count(*) as leases from leases join (
        select location_code, lease_number from ledger_entries where cents > 0
        group by location_code, lease_number having count(period_start) = 0
      ) using (location_code, lease_number)
      where closed_on is null and paid_through < json_extract(imported, '$.on')`)
    return Number(query.get()?.leases)
  }

  columnsOf(table: keyof Tables): string[] {
    return this.#tables.get(table)?.columns ?? []
  }

  locationsOf(table: keyof Tables): string[] {
    if (!this.#tables.has(table)) return []
    const rows = this.#db.prepare(`select distinct location_code from "${table}" order by location_code`).all()
    return rows.map((row) => String(row.location_code))
  }

  /** Returns whether rows of a facility have a number from `from` (included) to `below` (excluded). */
  hasNumberBetween(table: keyof Tables, locationCode: string, column: string, from: number, below: number): boolean {
    if (!this.#tables.has(table) || from >= below) return false
    const query = this.#db.prepare(
      `select 1 from "${table}" where location_code = ? and "${column}" >= ? and "${column}" < ? limit 1`,
    )
    return query.get(locationCode, from, below) !== undefined
  }

  /**
   * Runs `work`, whose statements can read the staged rows of the import: SQLite attaches the staging file; PostgreSQL
   * gets the rows as JSON.
   */
  async within<T>(db: Database, work: () => Promise<T>): Promise<T> {
    this.#db.exec('commit; pragma cache_size = -2000; pragma shrink_memory')
    if (db.engine !== 'sqlite') return work()
    await sql`attach database ${this.#file} as staging`.execute(db.write)
    try {
      return await work()
    } finally {
      await sql`detach database staging`.execute(db.write)
    }
  }

  /** Yields the rows of a table in chunks: `chunk` is an SQL source for `from`; `upTo` counts the rows up to the chunk's end. */
  *chunks(db: Pick<Database, 'engine'>, table: keyof Tables): Generator<{ chunk: RawBuilder<unknown>; upTo: number }> {
    const size = CHUNK_ROWS[db.engine]
    const staged = this.#tables.get(table)
    for (let after = 0; staged !== undefined && after < staged.rows; after += size) {
      const chunk =
        db.engine === 'sqlite'
          ? sql`(select * from ${sql.table(`staging.${table}`)} where staged_as > ${after} and staged_as <= ${after + size})`
          : sql`json_populate_recordset(null::${sql.table(table)}, ${this.#asJson(table, staged, after, size)}::json)`
      yield { chunk, upTo: Math.min(after + size, staged.rows) }
    }
  }

  #asJson(table: keyof Tables, { columns }: StagedTable, after: number, size: number): string {
    let statement = this.#json.get(table)
    if (!statement) {
      const pairs = columns.map((name) => `'${name}', "${name}"`).join(', ')
      statement = this.#db.prepare(
        `select json_group_array(json_object(${pairs})) as rows from (select * from "${table}" where staged_as > ? and staged_as <= ? order by staged_as)`,
      )
      this.#json.set(table, statement)
    }
    return String(statement.get(after, after + size)?.rows)
  }

  close(): void {
    this.#db.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Returns the SQLite column type of a staged column. Integers need the type integer: otherwise 1 may become '1.0' in the
 * rows' JSON, which PostgreSQL refuses for its integer columns.
 */
function typeOf(table: keyof Tables, name: string): string {
  const type = columnOf(table, name)
  return type.startsWith('text') ? 'text' : type.startsWith('real') ? 'real' : 'integer'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
