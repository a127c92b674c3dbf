import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { isKeyOf, keysOf } from '../../domain/typed-keys.ts'
import { createBalanceTriggers, dropBalanceTriggers } from '../schema/balance-triggers.ts'
import { referencedTables } from '../schema/migrations/create-table.ts'
import { type Tables, tables } from '../schema/tables.ts'
import { withUntypedTables } from './connection-without-table-types.ts'
import type { Database, Engine } from './open.ts'

/**
 * Names of all tables, each after the tables that it refers to. `content_version` is last, since triggers raise it when
 * rows of some other tables are written.
 */
export const tablesInOrder: readonly (keyof Tables)[] = sortTables()

function sortTables(): (keyof Tables)[] {
  const sorted = new Set<keyof Tables>()
  const add = (table: keyof Tables): void => {
    for (const other of referencedTables(tables[table])) if (other !== table && isKeyOf(tables, other)) add(other)
    sorted.add(table)
  }
  for (const table of keysOf(tables)) add(table)
  sorted.delete('content_version')
  return [...sorted, 'content_version']
}

/** Bound values per statement, exceeded by less than one row; the limit is 65,535 on PostgreSQL and 32,766 on SQLite. */
const MAX_VALUES = 20_000

/** Thrown when the database to copy to holds facilities already. */
export class TargetInUse extends Error {
  constructor() {
    super('The database to copy to is in use already: it holds facilities')
  }
}

/**
 * Copies all rows to an empty database, in one transaction of each database. Files and the installation's keys are not
 * copied.
 * @throws TargetInUse, DatabaseUnavailable
 */
export async function copyAll(
  from: Database,
  to: Database,
  progress: (table: keyof Tables, rows: number) => void = () => {},
): Promise<void> {
  await from.transaction(async (source) => {
    if (from.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(source)
    await to.transaction(async (target) => {
      if (await target.selectFrom('locations').select('location_code').limit(1).executeTakeFirst()) {
        throw new TargetInUse()
      }
      // A new database already has a content version.
      await target.deleteFrom('content_version').execute()
      await dropBalanceTriggers(target)
      for (const table of tablesInOrder) {
        let count = 0
        for await (const rows of batches(source, from.engine, table)) {
          await withUntypedTables(target).insertInto(table).values(rows).execute()
          count += rows.length
          await yieldToOthers()
        }
        progress(table, count)
      }
      await createBalanceTriggers(target)
    })
  })
}

/** Reads a table in batches. SQLite streams rows; PostgreSQL's driver returns the whole result. */
async function* batches(source: Transaction<Tables>, engine: Engine, table: keyof Tables): AsyncGenerator<object[]> {
  const query = source.selectFrom(table).selectAll()
  const rows: AsyncIterable<object> | Iterable<object> = engine === 'sqlite' ? query.stream() : await query.execute()
  let batch: object[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length * Object.keys(row).length >= MAX_VALUES) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
