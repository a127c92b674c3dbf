import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Database } from './open.ts'

/**
 * Something a public page shows has changed: what is cached under the version before is no longer served. Call it last in
 * the transaction: on PostgreSQL other bumps wait until this transaction ends.
 */
export async function bumpContentVersion(tx: Kysely<Tables>): Promise<void> {
  await tx.updateTable('content_version').set({ version: sql`version + 1` }).where('id', '=', 1).execute()
}

/** The version to cache content under. Read it before the content, so that a change in between is not missed. */
export async function currentContentVersion(db: Database): Promise<number> {
  const row = await db.read.selectFrom('content_version').select('version').where('id', '=', 1).executeTakeFirst()
  if (!row) throw new Error('There is no content version')
  return row.version
}
