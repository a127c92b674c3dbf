import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const openedColumns = {
  payments: { opened_by: 'text?' },
} as const

/** Which guest opened an order. Of those from before nothing is known: no guest reads them any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const type = engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"'
  await sql`alter table payments add column opened_by ${sql.raw(type)}`.execute(db)
}
