import { type Kysely, sql } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

/**
 * Something a public page shows has changed: pages kept under the version before are no longer served. Call it last in
 * the transaction: on PostgreSQL whoever else bumps waits until this transaction ends.
 */
export async function bumpContentVersion(tx: Kysely<Tables>): Promise<void> {
  await tx.updateTable('content_version').set({ version: sql`version + 1` }).where('id', '=', 1).execute()
}

/** The version to keep a public page under. Read it before what the page shows, so that a late change is not missed. */
export async function currentContentVersion(db: Database): Promise<number> {
  const row = await db.read
    .selectFrom('content_version')
    .select('version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.version
}
