import { type Kysely, sql } from 'kysely'
import { index } from './table.ts'

/**
 * Two indexes that did not lead to the few rows that are looked for. Of a facility's units nine in ten are let, and what may
 * be let is counted with every price: by state first, with all that the count and the choice of a unit read. A tenant's
 * e-mail address is mostly asked for at one facility: with the facility beside it SQLite does not go through all of its
 * tenants instead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index units_by_location_code_unit_type_id_status`.execute(db)
  await index(db, 'units', 'location_code, status, unit_type_id, held_until, unit_id', { name: 'units_to_let' })
  await sql`drop index tenants_by_email_key`.execute(db)
  await index(db, 'tenants', 'email_key, location_code, tenant_id')
}
