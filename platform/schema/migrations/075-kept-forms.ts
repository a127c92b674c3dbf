import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const keptFormTables = {
  kept_forms: {
    form_id: 'text',
    sign_in: 'text',
    page: 'text',
    fields_sealed: 'text',
    expires_at: 'whole',
  },
} as const

/** Forms of the office that were sent when the second factor was too old: shown filled again once it is given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'kept_forms', keptFormTables.kept_forms, { primary: 'form_id' })
  await index(db, 'kept_forms', 'expires_at')
}
