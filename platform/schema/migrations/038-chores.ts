import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'
import { createTable } from './table.ts'

export const choreTables = {
  chores: {
    chore: 'text',
    holder: 'text?',
    claimed_until: 'whole?',
    due_at: 'whole',
    begun_at: 'whole',
    succeeded_at: 'whole?',
    took_ms: 'whole?',
  },
} as const

/** Columns that join a table of an earlier migration. */
export const roleColumns = { installations: { role: 'text?' } } as const

/** Which process does each chore, so that the whole installation does it once; and which servers do chores at all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'chores', choreTables.chores, { primary: 'chore' })
  const text = engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"'
  await sql`alter table installations add column role ${sql.raw(text)}`.execute(db)
}
