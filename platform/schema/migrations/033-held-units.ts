import { type Kysely, sql } from 'kysely'

/** `units_to_let` finds lapsed holds of a facility; this one went through those of all, and each hold wrote it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index units_by_status_held_until`.execute(db)
}
