import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const enteredCardColumns = { payments: { form_entered_at: 'whole?' } } as const

/** When a payer was last seen at an order's card form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const whole = sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')
  await sql`alter table payments add column form_entered_at ${whole}`.execute(db)
}
