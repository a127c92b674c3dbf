import type { Kysely } from 'kysely'
import { createTable } from './table.ts'

export const staffUnlockTables = {
  staff_unlocks: { staff_id: 'text', made_at: 'whole', device: 'text', used_at: 'whole' },
} as const

/** Mailed links that were used by who was locked out of the office, each once, and by which browser. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'staff_unlocks', staffUnlockTables.staff_unlocks, {
    primary: 'staff_id, made_at',
    within: ['staff_id → staff'],
  })
}
