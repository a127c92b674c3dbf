import type { Kysely } from 'kysely'
import { appendOnly } from './016-staff.ts'
import { createTable } from './table.ts'

export const reasonTables = {
  entry_reasons: {
    entry_id: 'text',
    act: 'text',
    reason: 'text',
    note: 'text',
    staff_id: 'text',
    corrects: 'text?',
  },
} as const

/** Why staff wrote a ledger entry, who, and which entry it corrects; beside the ledger, whose own table keeps its shape. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'entry_reasons', reasonTables.entry_reasons, {
    primary: 'entry_id',
    within: ['entry_id → ledger_entries'],
  })
  await appendOnly(db, 'entry_reasons')
}
