import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const agreedColumns = { reservations: { agreed_discount: 'text?' } } as const

/** What the discount of a reservation was when it was made: the operator may change or withdraw it before the move-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = sql.raw(engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`alter table reservations add column agreed_discount ${text}`.execute(db)
}
