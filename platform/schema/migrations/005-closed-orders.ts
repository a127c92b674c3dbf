import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const closedColumns = { payments: { closed_at: 'whole?' } } as const

/** When an order was closed: from then on it is asked about for a day, however old it was (paying/payment.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column closed_at ${sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')}`.execute(
    db,
  )
}
