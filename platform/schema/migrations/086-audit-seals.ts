import type { Kysely } from 'kysely'
import { createTable } from './table.ts'

export const auditSealTables = {
  audit_seals: { day: 'text', hash_sealed: 'text' },
} as const

/** The hash of each day of the audit, sealed: it can only be written with the installation's keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'audit_seals', auditSealTables.audit_seals, { primary: 'day' })
}
