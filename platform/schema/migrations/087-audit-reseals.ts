import type { Kysely } from 'kysely'
import { createTable } from './table.ts'

export const auditResealTables = {
  audit_reseals: { day: 'text', hash_sealed: 'text' },
} as const

/** Days whose readable contact data were sealed afterwards, with the hash of their events since then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'audit_reseals', auditResealTables.audit_reseals, { primary: 'day' })
}
