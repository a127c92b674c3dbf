import type { Kysely } from 'kysely'
import { createTable, index } from './table.ts'

export const installationTables = {
  key_checks: { key_check: 'text', added_at: 'whole' },
  installations: {
    instance: 'text',
    version: 'text',
    mode: 'text',
    public_url: 'text',
    key_check: 'text',
    started_at: 'whole',
    heartbeat_at: 'whole',
  },
} as const

/** Which keys have sealed rows here, and how each server of this database was started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'key_checks', installationTables.key_checks, { primary: 'key_check' })
  await createTable(db, 'installations', installationTables.installations, { primary: 'instance' })
  await index(db, 'installations', 'heartbeat_at')
}
