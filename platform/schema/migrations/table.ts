import { type ColumnDataType, type Expression, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Engine, engineOf } from '../../database/engine.ts'

export interface TableChange extends Migration {
  /** `contract` takes away what the release before still uses. Without a word it expands. */
  readonly kind?: 'expand' | 'contract'
  /** On PostgreSQL made outside of the transaction, so that nothing waits for them. */
  readonly indexes?: readonly { name: string; table: string; columns: string; where?: string }[]
  /** Of a contract: such indexes of earlier migrations that it drops. */
  readonly drops?: readonly string[]
}

/** A trailing `?` allows null. `whole` holds instants, cents and numbers; `flag` 0 or 1. */
export type Column = 'text' | 'text?' | 'whole' | 'whole?' | 'flag' | 'real' | 'real?'

export interface Keys {
  /** Columns, comma separated. */
  primary?: string
  /** Column lists that must be unique. */
  unique?: string[]
  /** `'location_code, tenant_id → tenants'`: the same columns of the other table; `account_id → accounts` likewise. */
  within?: string[]
}

/** Text compares and sorts by its bytes in both engines, whatever language the server was set up in. */
function dataType(engine: Engine, column: Column): ColumnDataType | Expression<unknown> {
  const kind = column.replace('?', '')
  if (engine === 'sqlite') return kind === 'text' ? 'text' : kind === 'real' ? 'real' : 'integer'
  if (kind === 'text') return sql`text collate "C"`
  if (kind === 'real') return 'double precision'
  return kind === 'flag' ? 'smallint' : 'bigint'
}

const names = (list: string) => list.split(',').map((name) => name.trim())

/** Creates a table of the portable core. On SQLite it is strict, so that both engines refuse a text in a number's column. */
export async function createTable(
  db: Kysely<unknown>,
  table: string,
  columns: Record<string, Column>,
  keys: Keys,
): Promise<void> {
  const engine = engineOf(db)
  let statement = db.schema.createTable(table)
  for (const [name, column] of Object.entries(columns)) {
    statement = statement.addColumn(name, dataType(engine, column) as ColumnDataType, (to) =>
      column.endsWith('?') ? to : to.notNull(),
    )
    if (column === 'flag') {
      statement = statement.addCheckConstraint(`${table}_${name}_flag`, sql`${sql.ref(name)} in (0, 1)`)
    }
  }
  if (keys.primary) statement = statement.addPrimaryKeyConstraint(`${table}_pk`, names(keys.primary) as never)
  for (const list of keys.unique ?? []) {
    statement = statement.addUniqueConstraint(`${table}_${names(list).join('_')}_once`, names(list) as never)
  }
  for (const reference of keys.within ?? []) {
    const [list, target] = reference.split('→').map((part) => part.trim()) as [string, string]
    statement = statement.addForeignKeyConstraint(`${table}_in_${target}`, names(list) as never, target, names(list))
  }
  if (engine === 'sqlite') statement = statement.modifyEnd(sql`strict`)
  await statement.execute()
}

/** `index(db, 'units', 'location_code, unit_type_id, status')`; `where` makes it partial, `unique` a constraint. */
export async function index(
  db: Kysely<unknown>,
  table: string,
  list: string,
  options: { unique?: boolean; where?: string; name?: string } = {},
): Promise<void> {
  const name = options.name ?? `${table}_by_${names(list).join('_')}`
  await sql`create ${sql.raw(options.unique ? 'unique index' : 'index')} ${sql.ref(name)} on ${sql.table(table)} (${sql.join(names(list).map((column) => sql.ref(column)))})${sql.raw(options.where ? ` where ${options.where}` : '')}`.execute(
    db,
  )
}
