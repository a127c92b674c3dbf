import type { Kysely } from 'kysely'
import { numbersTaken } from '../../platform/database/numbering.ts'
import type { Transaction } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Staging } from './staging.ts'

/** The business has changed since the rows were checked. */
export class ChangedSince extends Error {}

export const tenantNumbers = (db: Kysely<Tables>) =>
  db.selectFrom('counters').select(['location_code', 'next']).where('kind', '=', 'tenant').execute()

/**
 * Numbers new tenants and leases after the imported ones. @throws ChangedSince where the site gave a number away
 * meanwhile
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
