import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { engineOf } from './engine-differences.ts'

/**
 * Locks a name until the transaction ends, for a row that may not exist yet. SQLite's write transactions run one after
 * the other.
 */
export async function lockName(tx: Kysely<Tables>, name: string): Promise<void> {
  if (engineOf(tx) === 'postgres') await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
}
