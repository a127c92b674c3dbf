import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const sharedFilesColumns = {
  installations: { stopped_at: 'whole?', files_marker: 'text?' },
} as const

/** When a server has stopped, and the file by which another one sees that both keep their files in the same place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const [text, whole] = engineOf(db) === 'sqlite' ? ['text', 'integer'] : ['text collate "C"', 'bigint']
  await sql`alter table installations add column stopped_at ${sql.raw(whole)}`.execute(db)
  await sql`alter table installations add column files_marker ${sql.raw(text)}`.execute(db)
}
