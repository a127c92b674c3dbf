import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const lookColumns = { locations: { walls: 'text?', changed_at: 'whole?' } } as const

/** What a facility's walls are made of, for its drawing; and when its page last changed, null where that is unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const [text, whole] = engineOf(db) === 'sqlite' ? ['text', 'integer'] : ['text collate "C"', 'bigint']
  await sql`alter table locations add column walls ${sql.raw(text as string)}`.execute(db)
  await sql`alter table locations add column changed_at ${sql.raw(whole as string)}`.execute(db)
}
