import type { Kysely } from 'kysely'
import { createTable } from './table.ts'

export const restoreMarkTables = {
  restore_marks: { mark: 'text', made_at: 'whole', kept_at: 'whole?' },
} as const

/** What the files name as the last sign of this database; `kept_at` once they do. A copy put back does not know it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'restore_marks', restoreMarkTables.restore_marks, { primary: 'mark' })
}
