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

/** A reading under way, and the one that follows it where somebody waits for it. */
interface Turn {
  reading: Promise<number>
  next: Promise<number> | null
}
const turns = new WeakMap<Database, Turn>()

/**
 * The version to keep a public page under. Read it before what the page shows, so that a late change is not missed. Those
 * who ask while it is being read share the next reading, which begins after all of them have asked: on PostgreSQL sixteen
 * requests at a time would else ask sixteen times.
 */
export function currentContentVersion(db: Database): Promise<number> {
  const turn = turns.get(db)
  if (!turn) return begin(db)
  const follow = () => begin(db)
  turn.next ??= turn.reading.then(follow, follow)
  return turn.next
}

function begin(db: Database): Promise<number> {
  const turn: Turn = { reading: read(db), next: null }
  turns.set(db, turn)
  const over = () => {
    if (turn.next === null) turns.delete(db)
  }
  turn.reading.then(over, over)
  return turn.reading
}

async function read(db: Database): Promise<number> {
  const row = await db.read
    .selectFrom('content_version')
    .select('version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.version
}
