import { type Kysely, sql } from 'kysely'
import { engineOf } from '../../database/engine.ts'

/** Columns that join a table of an earlier migration. */
export const refusedColumns = { leases: { autopay_refused_period: 'text?', autopay_refusals: 'whole' } } as const

/** How often autopay was refused for the unpaid period stands on the lease, filled from the declined orders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const [text, whole] = engineOf(db) === 'sqlite' ? ['text', 'integer'] : ['text collate "C"', 'bigint']
  await sql`alter table leases add column autopay_refused_period ${sql.raw(text)}`.execute(db)
  await sql`alter table leases add column autopay_refusals ${sql.raw(whole)} not null default 0`.execute(db)
  const declined = sql`from payments as p where p.location_code = leases.location_code
    and p.lease_number = leases.lease_number and p.state = 'declined'`
  // The unpaid period is the first after the last day paid for; refusals of paid ones no longer count.
  await sql`update leases set autopay_refused_period =
    (select min(p.autopay_period) ${declined} and p.autopay_period > leases.paid_through)
    where (location_code, lease_number) in
      (select location_code, lease_number from payments where autopay_period is not null and state = 'declined')`.execute(
    db,
  )
  await sql`update leases set autopay_refusals =
    (select count(*) ${declined} and p.autopay_period = leases.autopay_refused_period)
    where autopay_refused_period is not null`.execute(db)
}
