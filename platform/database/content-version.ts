import { AsyncLocalStorage } from 'node:async_hooks'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Database } from './open.ts'

/**
 * Invalidates cached pages and content. Call it last in a transaction: on PostgreSQL other bumps wait for its end.
 */
export async function bumpContentVersion(tx: Kysely<Tables>): Promise<void> {
  await tx.updateTable('content_version').set({ version: sql`version + 1` }).where('id', '=', 1).execute()
}

const shared = new AsyncLocalStorage<{ version?: Promise<number> }>()

/**
 * Runs `work`, which only reads, so that the version of cached content is read from the database at most once during
 * it.
 * @param version a version that was read before; content may be newer
 */
export function withContentVersion<T>(work: () => Promise<T>, version?: number): Promise<T> {
  if (shared.getStore()) return work()
  return shared.run(version === undefined ? {} : { version: Promise.resolve(version) }, work)
}

/**
 * Returns the version number of the operator's content; caches of an older version are outdated. Read it before the
 * content that is cached under it.
 */
export function loadContentVersion(db: Database): Promise<number> {
  const scope = shared.getStore()
  if (!scope) return readVersion(db)
  scope.version ??= readVersion(db)
  return scope.version
}

async function readVersion(db: Database): Promise<number> {
  const row = await db.read.selectFrom('content_version').select('version').where('id', '=', 1).executeTakeFirst()
  if (!row) throw new Error('There is no content version')
  return row.version
}
