import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { engineOf } from './engine-differences.ts'

/** Returns the number of synchronous standbys; 0 on SQLite, and if the database role may not see them. */
export async function countSyncStandbys(db: Kysely<Tables>): Promise<number> {
  if (engineOf(db) === 'sqlite') return 0
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_replication where sync_state in ('sync', 'quorum')`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
