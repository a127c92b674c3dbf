/**
 * A place beside the business where rows are gathered and checked before any of them is let in: a SQLite file of its own,
 * whichever engine holds the business. So a long load neither fills memory nor keeps anybody from writing.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/open.ts'
import { columnOf } from '../../platform/schema/migrations/index.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Stands between the parts of a key, and in none of them. */
export const keySeparator = '\u001f'

const prefix = 'staging-'
/** On SQLite a statement blocks the process for as long as it runs. */
const ROWS_AT_A_TIME = { sqlite: 5000, postgres: 500 }

/** Values of one kind that are taken, and whose each is. */
export interface TakenKeys {
  readonly name: string
  /** @returns false where the value was taken already, by whomever */
  take(value: string, owner: string): boolean
  isTaken(value: string): boolean
  ownerOf(value: string): string | undefined
  handOver(value: string, owner: string): void
}

/** Columns as one value, the way that keys are made of several. */
const joined = (names: string[]) => names.map((name) => `"${name}"`).join(` || '${keySeparator}' || `)

interface StagedTable {
  columns: string[]
  insert: StatementSync
  rows: number
}

export class Staging {
  readonly #folder: string
  readonly #file: string
  readonly #db: DatabaseSync
  readonly #tables = new Map<keyof Tables, StagedTable>()
  readonly #json = new Map<keyof Tables, StatementSync>()
  #keys = 0

  /**
   * @param folder where the file may grow to the size of what is loaded: the data folder. What an earlier load has left
   * there when its process was killed is removed.
   */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder))
      if (name.startsWith(prefix) && !isRunning(Number(name.split('-')[1])))
        rmSync(join(folder, name), { recursive: true, force: true })
    this.#folder = mkdtempSync(join(folder, `${prefix}${process.pid}-`))
    chmodSync(this.#folder, 0o700)
    this.#file = join(this.#folder, 'rows.sqlite')
    this.#db = new DatabaseSync(this.#file)
    // Lost with the process, and meant to be: nothing is journalled or synced.
    this.#db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; begin')
  }

  keys(): TakenKeys {
    const name = `keys_${++this.#keys}`
    this.#db.exec(`create table ${name} (value text primary key, owner text not null) without rowid`)
    const take = this.#db.prepare(`insert into ${name} values (?, ?) on conflict do nothing`)
    const ownerOf = this.#db.prepare(`select owner from ${name} where value = ?`)
    const handOver = this.#db.prepare(`update ${name} set owner = ? where value = ?`)
    const isTaken = this.#db.prepare(`select 1 from ${name} where value = ?`)
    return {
      name,
      isTaken: (value) => isTaken.get(value) !== undefined,
      take: (value, owner) => take.run(value, owner).changes === 1,
      ownerOf: (value) => ownerOf.get(value)?.owner as string | undefined,
      handOver: (value, owner) => void handOver.run(owner, value),
    }
  }

  /** Prepares for the rows of a table of the business: these of its columns, in this order. */
  prepare(table: keyof Tables, names: string[]): void {
    if (this.#tables.has(table)) return
    const typed = names.map((name) => `"${name}" ${typeOf(table, name)}`)
    this.#db.exec(`create table "${table}" (staged_as integer primary key, ${typed.join(', ')})`)
    const insert = this.#db.prepare(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    this.#tables.set(table, { columns: names, insert, rows: 0 })
  }

  /** Lays a row ready. @param row a value for each of the prepared columns, in their order */
  add(table: keyof Tables, row: readonly unknown[]): void {
    const staged = this.#tables.get(table)
    if (staged === undefined) throw new Error(`${table} is not prepared`)
    staged.insert.run(...(row as readonly SQLInputValue[]))
    staged.rows += 1
  }

  /** Those values of these columns, with `keySeparator` between, over whose rows the sum of a column is above 0. */
  keysOver(table: keyof Tables, of: string[], column: string): Pick<TakenKeys, 'name'> {
    const { name } = this.keys()
    if (this.#tables.has(table))
      this.#db.exec(
        `insert into ${name} select ${joined(of)}, '' from "${table}" group by ${joined(of)} having sum("${column}") > 0`,
      )
    return { name }
  }

  /**
   * Sets a column in those rows whose value, of these columns with `keySeparator` between, is taken.
   * @param from only where the column holds one of these
   */
  mark(
    table: keyof Tables,
    { column, from, to }: { column: string; from: readonly string[]; to: string },
    keys: Pick<TakenKeys, 'name'>,
    of: string[],
  ): void {
    if (!this.#tables.has(table)) return
    this.#db
      .prepare(
        `update "${table}" set "${column}" = ? where "${column}" in (${from.map(() => '?').join(', ')})
          and ${joined(of)} in (select value from ${keys.name})`,
      )
      .run(to, ...from)
  }

  /** Makes one of those rows that agree in these columns, with the least of each other column; in the order of `by`. */
  merge(table: keyof Tables, by: string[]): void {
    const staged = this.#tables.get(table)
    if (staged === undefined) return
    const listed = (names: string[]) => names.map((name) => `"${name}"`).join(', ')
    const least = staged.columns.map((name) => (by.includes(name) ? `"${name}"` : `min("${name}")`)).join(', ')
    this.#db.exec(`create temp table gathered as select * from "${table}"; delete from "${table}"`)
    const { changes } = this.#db
      .prepare(
        `insert into "${table}" (${listed(staged.columns)}) select ${least} from gathered group by ${listed(by)} order by ${listed(by)}`,
      )
      .run()
    this.#db.exec('drop table gathered')
    staged.rows = Number(changes)
  }

  columnsOf(table: keyof Tables): string[] {
    return this.#tables.get(table)?.columns ?? []
  }

  /** Facilities for which there are rows of that table. */
  locationsOf(table: keyof Tables): string[] {
    if (!this.#tables.has(table)) return []
    const rows = this.#db.prepare(`select distinct location_code from "${table}" order by location_code`).all()
    return rows.map((row) => String(row.location_code))
  }

  /** Whether rows are laid ready for a facility whose number in that column is one of `from` up to, and not, `below`. */
  brings(table: keyof Tables, locationCode: string, column: string, from: number, below: number): boolean {
    if (!this.#tables.has(table) || from >= below) return false
    const found = this.#db.prepare(
      `select 1 from "${table}" where location_code = ? and "${column}" >= ? and "${column}" < ? limit 1`,
    )
    return found.get(locationCode, from, below) !== undefined
  }

  /**
   * Everything is laid ready: within `work`, statements on the business can read it. Adding rows is over.
   * On SQLite the business's own connection reads the file; to PostgreSQL the rows go along with the statements.
   */
  async within<T>(db: Database, work: () => Promise<T>): Promise<T> {
    // The business's own connection needs the room now.
    this.#db.exec('commit; pragma cache_size = -2000; pragma shrink_memory')
    if (db.engine !== 'sqlite') return work()
    await sql`attach database ${this.#file} as staging`.execute(db.write)
    try {
      return await work()
    } finally {
      await sql`detach database staging`.execute(db.write)
    }
  }

  /**
   * Lets `work` write to a table without its indexes, other than those that keep something unique, and makes these anew
   * afterwards. A column whose values come in no order, such as an e-mail address, has each row find its place in a page
   * that is long out of memory; sorted once, the same index takes a fraction of that. Only where more comes in than is
   * there, and on SQLite: on PostgreSQL nobody could even read the table meanwhile.
   */
  async indexingAfter<T>(
    db: Pick<Database, 'engine'>,
    tx: Transaction<Tables>,
    table: keyof Tables,
    work: () => Promise<T>,
  ): Promise<T> {
    if (db.engine !== 'sqlite') return work()
    const there = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(tx)
    if ((this.#tables.get(table)?.rows ?? 0) <= (there.rows[0]?.rows ?? 0)) return work()
    const { rows: indexes } = await sql<{ name: string; made: string }>`
      select name, sql as made from sqlite_master
      where type = 'index' and tbl_name = ${table} and sql not like 'create unique%'`.execute(tx)
    for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(tx)
    const done = await work()
    // In memory a sort is held whole, whatever its size.
    await sql`pragma temp_store = file`.execute(tx)
    try {
      for (const { made } of indexes) {
        await sql.raw(made).execute(tx)
        await yieldToOthers()
      }
    } finally {
      await sql`pragma temp_store = memory`.execute(tx)
    }
    return done
  }

  /**
   * The rows of a table in the order in which they were added, a chunk at a time: `chunk` stands behind `from`, and `upTo`
   * rows have come with it.
   */
  *chunks(db: Pick<Database, 'engine'>, table: keyof Tables): Generator<{ chunk: RawBuilder<unknown>; upTo: number }> {
    const size = ROWS_AT_A_TIME[db.engine]
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

  /** Removes all of it. */
  close(): void {
    this.#db.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Numbers arrive as floating point; the column makes whole ones whole again, without which PostgreSQL refuses them. */
function typeOf(table: keyof Tables, name: string): string {
  const type = columnOf(table, name)
  return type.startsWith('text') ? 'text' : type.startsWith('real') ? 'real' : 'integer'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}
