import type { Kysely } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/** Returns the connection without the types of its tables, for a statement whose table is known only when it runs. */
// biome-ignore lint/suspicious/noExplicitAny: rows of whichever table the statement names
export const withUntypedTables = (db: Kysely<Tables>): Kysely<any> => db
