/**
 * Migrates tables while servers of the previous release run. A start applies expand migrations. A command applies
 * contract migrations once no older server is left; older programs are then refused.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { errorMessage } from '../../../ports/errors/error-code-and-message.ts'
import { DatabaseUnavailable, engineOf } from '../../database/engine-differences.ts'
import type { Tables } from '../tables.ts'
import type { TableChange } from './create-table.ts'
import { migrations } from './index.ts'

/** Thrown when this program cannot work with the database's tables. `cure` says what to do; the message includes it. */
export class SchemaVersionMismatch extends Error {
  readonly cure: string

  constructor(message: string, cure: string) {
    super(message)
    this.cure = cure
  }
}

interface MigrationOptions {
  /** Migrations that this program has; tests give others. */
  ownMigrations?: Readonly<Record<string, TableChange>>
  /** Lock timeout of a table change, in milliseconds; after it, the statements that queue behind the change run. */
  lockMs?: number
}

const MAX_ATTEMPTS = 100
/** The first migration, which every released database has. */
const FIRST = '001-first-schema'
/** Arbitrary key of the advisory lock for migrations. */
const LOCK = 5_207_041
const isContract = ({ kind }: TableChange) => kind === 'contract'

/**
 * Applies the pending expand migrations in one transaction, then creates missing indexes. Of several starting processes
 * one does so; the others wait.
 * @throws DatabaseUnavailable; SchemaVersionMismatch; Error if a migration or an index fails
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  { ownMigrations = migrations, lockMs }: MigrationOptions = {},
): Promise<void> {
  const applied = await loadApplied(db)
  await refuseOtherVersion(db, applied, ownMigrations)
  const applicable = Object.fromEntries(
    Object.entries(ownMigrations).filter(([name, change]) => !isContract(change) || applied.includes(name)),
  )
  if (!Object.keys(applicable).every((name) => applied.includes(name))) await apply(db, applicable, lockMs)
  await createMissingIndexes(db, applicable)
}

/** Returns whether a start would find no migration to apply. */
export async function isUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const applied = await loadApplied(db)
  return Object.entries(migrations).every(([name, change]) => isContract(change) || applied.includes(name))
}

/** Returns why this program cannot work with the database's tables, or null. */
export const findSchemaProblem = async (db: Kysely<Tables>): Promise<SchemaVersionMismatch | null> =>
  refuseOtherVersion(db, await loadApplied(db), migrations).then(
    () => null,
    (error: unknown) => {
      if (error instanceof SchemaVersionMismatch) return error
      throw error
    },
  )

/** Returns the names of the contract migrations that are not applied yet; a start leaves them to the command. */
export async function loadPendingContractMigrations(
  db: Kysely<Tables>,
  { ownMigrations = migrations }: MigrationOptions = {},
): Promise<string[]> {
  const applied = await loadApplied(db)
  return Object.keys(ownMigrations).filter((name) => isContract(ownMigrations[name]!) && !applied.includes(name))
}

/** Applies all pending migrations, contract migrations included, after which older releases are refused. */
export async function applyContractMigrations(
  db: Kysely<Tables>,
  { ownMigrations = migrations, lockMs }: MigrationOptions = {},
): Promise<void> {
  await migrateToLatest(db, { ownMigrations, ...(lockMs && { lockMs }) })
  const recordingReader = Object.entries(ownMigrations).map(([name, change]): [string, TableChange] => [
    name,
    !isContract(change)
      ? change
      : {
          ...change,
          async up(tx: Kysely<Tables>) {
            await change.up(tx)
            await tx.deleteFrom('database_readers').execute()
            await tx.insertInto('database_readers').values({ oldest_reader: name }).execute()
          },
        },
  ])
  await apply(db, Object.fromEntries(recordingReader), lockMs)
}

async function loadApplied(db: Kysely<Tables>): Promise<string[]> {
  // Looks up this table only; introspection would read the whole schema.
  const { rows: tables } = await (engineOf(db) === 'sqlite'
    ? sql`select 1 from sqlite_schema where type = 'table' and name = 'kysely_migration'`
    : sql`select 1 where to_regclass('kysely_migration') is not null`
  ).execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Refuses tables that were created before the first release, or that a newer release has contracted beyond what this
 * release can read.
 * @throws SchemaVersionMismatch
 */
async function refuseOtherVersion(
  db: Kysely<Tables>,
  applied: readonly string[],
  ownMigrations: object,
): Promise<void> {
  if (applied.length > 0 && !applied.includes(FIRST)) {
    const remedy = engineOf(db) === 'sqlite' ? 'Move the data folder away' : 'Drop the database, create it empty'
    throw new SchemaVersionMismatch(
      `The database was made by a version before the first release. ${remedy} and start again.`,
      `${remedy} and start again`,
    )
  }
  if (applied.every((name) => Object.hasOwn(ownMigrations, name))) return
  const readers = await db.selectFrom('database_readers').select('oldest_reader').execute()
  const missing = readers.filter((reader) => !Object.hasOwn(ownMigrations, reader.oldest_reader))
  if (missing.length > 0)
    throw new SchemaVersionMismatch(
      `The database was last used by a newer version of this program. Start that version, or restore a backup made before. (${missing[0]!.oldest_reader} has taken away what this version uses.)`,
      'Start the newer release',
    )
}

async function apply(db: Kysely<Tables>, ownMigrations: Record<string, TableChange>, lockMs = 2000): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await applyOnce(db, ownMigrations, lockMs)
    } catch (error) {
      // Another transaction locks the table. Statements that queued behind this change run before the next attempt.
      if (!(error instanceof DatabaseUnavailable) || error.why !== 'busy' || attempt === MAX_ATTEMPTS) throw error
      await pause(Math.min(3000, attempt * 100))
    }
}

async function applyOnce(
  db: Kysely<Tables>,
  ownMigrations: Record<string, TableChange>,
  lockMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (engineOf(db) === 'postgres') {
      await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx)
      // Kysely creates its own tables before locking, which fails if two processes do so at once.
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(tx)
    }
    const migrator = new Migrator({
      db: tx,
      provider: {
        getMigrations: async () => ({ ...(await emptyMigrationsOfOthers(tx, ownMigrations)), ...ownMigrations }),
      },
      // A contract migration may follow expand migrations of later releases.
      allowUnorderedMigrations: true,
    })
    const { error, results } = await migrator.migrateToLatest()
    if (!error) return
    if (error instanceof DatabaseUnavailable) throw error
    const failed = results?.find((result) => result.status === 'Error')
    throw new Error(
      `${failed ? `Migration ${failed.migrationName}` : 'Bringing the tables up to date'} failed: ${errorMessage(error)}`,
      { cause: error },
    )
  })
}

/** Returns empty migrations in place of a newer release's applied ones, which this release ignores. */
async function emptyMigrationsOfOthers(db: Kysely<Tables>, ownMigrations: object): Promise<Record<string, Migration>> {
  const others = (await loadApplied(db)).filter((name) => !Object.hasOwn(ownMigrations, name))
  return Object.fromEntries(others.map((name) => [name, { up: async () => {} }]))
}

async function createMissingIndexes(db: Kysely<Tables>, ownMigrations: Record<string, TableChange>): Promise<void> {
  const dropped = Object.values(ownMigrations).flatMap(({ drops = [] }) => drops)
  const all = Object.values(ownMigrations).flatMap(({ indexes = [] }) => indexes)
  const required = all.filter(({ name }) => !dropped.includes(name))
  const missing = async (connection: Kysely<Tables>) => {
    const existing = required.length > 0 ? await loadValidIndexes(connection) : []
    return required.filter(({ name }) => !existing.includes(name))
  }
  if ((await missing(db)).length === 0) return
  const createMissing = async () => {
    const concurrently = sql.raw(engineOf(db) === 'postgres' ? 'concurrently' : '')
    for (const { name, table, columns, where } of await missing(db)) {
      const partial = sql.raw(where ? ` where ${where}` : '')
      // On PostgreSQL an index whose creation was interrupted exists but is invalid.
      await sql`drop index ${concurrently} if exists ${sql.ref(name)}`.execute(db)
      await sql`create index ${concurrently} ${sql.ref(name)} on ${sql.table(table)} (${sql.raw(columns)})${partial}`.execute(
        db,
      )
    }
  }
  if (engineOf(db) === 'sqlite') return createMissing()
  // The lock is held by a transaction, since a pooler shares sessions. An attempt without the lock ends its
  // transaction, whose snapshot would block the other process's index.
  const tryToCreate = () =>
    db.transaction().execute(async (tx) => {
      if (!(await tryLockIndexes(tx))) return false
      // The transaction is idle while the indexes are created. A further statement also ends the snapshot of the
      // previous one, for which the index would wait.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await createMissing()
      return true
    })
  while (!(await tryToCreate())) await pause(500)
}

async function tryLockIndexes(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{
    acquired: boolean
  }>`select pg_try_advisory_xact_lock(${sql.lit(LOCK + 1)}) as acquired`.execute(db)
  return rows[0]!.acquired
}

async function loadValidIndexes(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await (engineOf(db) === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_schema where type = 'index'`
    : sql<{
        name: string
      }>`select relname as name from pg_class join pg_index on indexrelid = pg_class.oid where indisvalid`
  ).execute(db)
  return rows.map(({ name }) => name)
}
