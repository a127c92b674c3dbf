import { type ColumnDataType, type CreateTableBuilder, type Expression, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Engine, engineOf } from '../../database/engine-differences.ts'

/** A migration, with what it declares about tables and indexes. */
export interface TableChange extends Migration {
  /** Tables that the migration creates, and columns that it adds to earlier ones. Row types are derived from these. */
  readonly tables?: Readonly<Record<string, TableDeclaration>>
  /** `contract`: removes what the previous release still uses. `expand`, the default: only adds. */
  readonly kind?: 'expand' | 'contract'
  /** Indexes, which PostgreSQL creates outside of the transaction, so that no writer waits. */
  readonly indexes?: readonly { name: string; table: string; columns: string; where?: string }[]
  /** Indexes of earlier migrations that a contract migration drops. */
  readonly drops?: readonly string[]
}

/** A trailing `?` allows null. `whole` holds instants, cents and other whole numbers; `flag` 0 or 1. */
export type Column = 'text' | 'text?' | 'whole' | 'whole?' | 'flag' | 'real' | 'real?'

export interface TableDeclaration {
  readonly columns: Readonly<Record<string, Column>>
  readonly defaults?: Readonly<Record<string, number | string>>
  /** Columns, comma separated. */
  readonly primary?: string
  /** Column lists that must be unique. */
  readonly unique?: readonly string[]
  /**
   * Foreign keys: `'location_code, tenant_id → tenants'` refers to the columns of the same names in the other table.
   */
  readonly within?: readonly string[]
  readonly indexes?: readonly IndexDeclaration[]
}

export interface IndexDeclaration {
  /** Defaults to `<table>_by_<columns>`. */
  readonly name?: string
  /** Columns or expressions, comma separated. */
  readonly columns: string
  readonly unique?: boolean
  /** Condition of a partial index. */
  readonly where?: string
}

/** Returns a column's SQL type. Text compares and sorts by its bytes on both engines, whatever the server's locale. */
function dataType(engine: Engine, column: Column): ColumnDataType | Expression<unknown> {
  const kind = column.replace('?', '')
  if (engine === 'sqlite') return kind === 'text' ? 'text' : kind === 'real' ? 'real' : 'integer'
  if (kind === 'text') return sql`text collate "C"`
  if (kind === 'real') return 'double precision'
  return kind === 'flag' ? 'smallint' : 'bigint'
}

function parseReference(reference: string): readonly [columns: string, table: string] {
  const [columns = '', table = ''] = reference.split('→').map((part) => part.trim())
  return [columns, table]
}

/** Returns the tables to which this table's rows refer. */
export const referencedTables = ({ within = [] }: TableDeclaration): string[] =>
  within.map((reference) => parseReference(reference)[1])

export const primaryKey = ({ primary = '' }: TableDeclaration): string[] => names(primary)

const names = (list: string) => list.split(',').map((name) => name.trim())

/** Adds columns to an existing table, whose rows get the default, or null without one. */
export async function addColumns(
  db: Kysely<unknown>,
  table: string,
  { columns, defaults = {} }: TableDeclaration,
): Promise<void> {
  for (const [name, column] of Object.entries(columns))
    await db.schema
      .alterTable(table)
      .addColumn(name, dataType(engineOf(db), column), (definition) => {
        const nullable = column.endsWith('?') ? definition : definition.notNull()
        return defaults[name] === undefined ? nullable : nullable.defaultTo(defaults[name])
      })
      .execute()
}

/**
 * Creates a table with its indexes. On SQLite it is strict, so that both engines refuse a text in a number's column.
 */
export async function createTable(db: Kysely<unknown>, table: string, declared: TableDeclaration): Promise<void> {
  const engine = engineOf(db)
  let statement: CreateTableBuilder<string, string> = db.schema.createTable(table)
  for (const [name, column] of Object.entries(declared.columns)) {
    const defaultValue = declared.defaults?.[name]
    statement = statement.addColumn(name, dataType(engine, column), (definition) => {
      const nullable = column.endsWith('?') ? definition : definition.notNull()
      return defaultValue === undefined ? nullable : nullable.defaultTo(defaultValue)
    })
    if (column === 'flag') {
      statement = statement.addCheckConstraint(`${table}_${name}_flag`, sql`${sql.ref(name)} in (0, 1)`)
    }
  }
  if (declared.primary) {
    statement = statement.addPrimaryKeyConstraint(`${table}_pk`, names(declared.primary))
  }
  for (const list of declared.unique ?? []) {
    statement = statement.addUniqueConstraint(`${table}_${names(list).join('_')}_once`, names(list))
  }
  for (const reference of declared.within ?? []) {
    const [list, target] = parseReference(reference)
    statement = statement.addForeignKeyConstraint(`${table}_in_${target}`, names(list), target, names(list))
  }
  if (engine === 'sqlite') statement = statement.modifyEnd(sql`strict`)
  await statement.execute()
  for (const index of declared.indexes ?? []) await createIndex(db, table, index)
}

async function createIndex(db: Kysely<unknown>, table: string, index: IndexDeclaration): Promise<void> {
  const name = index.name ?? `${table}_by_${names(index.columns).join('_')}`
  const kind = sql.raw(index.unique ? 'unique index' : 'index')
  const partial = sql.raw(index.where ? ` where ${index.where}` : '')
  await sql`create ${kind} ${sql.ref(name)} on ${sql.table(table)} (${sql.raw(index.columns)})${partial}`.execute(db)
}
