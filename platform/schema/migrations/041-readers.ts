import type { Kysely } from 'kysely'
import { createTable } from './table.ts'

export const readerTables = {
  database_readers: { oldest_reader: 'text' },
} as const

/** The newest migration that a program must know to use these tables; no row while none has taken anything away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'database_readers', readerTables.database_readers, { primary: 'oldest_reader' })
}
