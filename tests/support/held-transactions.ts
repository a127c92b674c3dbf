import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/**
 * Begins a transaction that runs `lock` and then stays open. Only on PostgreSQL do others run beside it.
 * @returns function that commits the transaction
 */
export async function holdTransaction(
  db: Database,
  lock: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const held = db.transaction(async (tx) => {
    await lock(tx)
    locked.resolve()
    await mayCommit.promise
  })
  await Promise.race([locked.promise, held])
  return () => {
    mayCommit.resolve()
    return held
  }
}

/** Returns the number of connections to a PostgreSQL database that wait for a lock. */
export async function countLockWaits({ read }: Pick<Database, 'read'>): Promise<number> {
  const { rows } =
    await sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      read,
    )
  return rows.length
}
