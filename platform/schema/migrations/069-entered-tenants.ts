import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const enteredColumns = { rental_drafts: { entered_tenant_id: 'whole?' } } as const

/** Which tenant a rental session entered itself. Of sessions under way it was told by the time until now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const whole = sql.raw(engineOf(db) === 'sqlite' ? 'integer' : 'bigint')
  await sql`alter table rental_drafts add column entered_tenant_id ${whole}`.execute(db)
  await sql`
    update rental_drafts set entered_tenant_id = tenant_id
    where existing_tenant = 0 and exists (
      select 1 from tenants
      where tenants.location_code = rental_drafts.location_code
        and tenants.tenant_id = rental_drafts.tenant_id
        and tenants.created_at >= rental_drafts.created_at
    )`.execute(db)
}
