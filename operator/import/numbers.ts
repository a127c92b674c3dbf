import type { Kysely } from 'kysely'
import { numbersTaken } from '../../platform/database/numbering.ts'
import type { Transaction } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Staging } from './staging.ts'

/** What the rows were checked against is no longer so, and they would come in wrong. */
export class ChangedSince extends Error {}

export const tenantNumbers = (db: Kysely<Tables>) =>
  db.selectFrom('counters').select(['location_code', 'next']).where('kind', '=', 'tenant').execute()

/**
 * New tenants and leases are numbered after those that were brought in.
 * @param numbered by facility, the next tenant's number when the check began
 * @throws ChangedSince where the site has given a tenant the number that a row of the import brings somebody else with
 */
export async function countOn(
  tx: Transaction<Tables>,
  staging: Staging,
  numbered: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { location_code, next } of await tenantNumbers(tx)) {
    const from = numbered.get(location_code) ?? 0
    if (staging.brings('tenants', location_code, 'tenant_id', from, next)) throw new ChangedSince()
  }
  const tenants = await tx
    .selectFrom('tenants')
    .select(['location_code', (eb) => eb.fn.max('tenant_id').as('most')])
    .groupBy('location_code')
    .execute()
  const leases = await tx
    .selectFrom('leases')
    .select(['location_code', (eb) => eb.fn.max('lease_number').as('most')])
    .groupBy('location_code')
    .execute()
  for (const row of tenants) await numbersTaken(tx, row.location_code, 'tenant', Number(row.most))
  for (const row of leases) await numbersTaken(tx, row.location_code, 'lease', Number(row.most))
}
