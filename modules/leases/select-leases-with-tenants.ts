import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'

export const selectLeasesWithTenants = (db: Kysely<Tables>) =>
  db
    .selectFrom('leases')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
