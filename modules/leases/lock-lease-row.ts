import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadToday } from '../facilities/facility-facts-for-pricing.ts'
import type { Lease, LeaseKey } from './lease.ts'

export type LockedLease = Lease & { time_zone: string; active_military: 0 | 1 }

/**
 * Locks a lease until the transaction ends, so that the second of two concurrent payments sees the first.
 * @returns the lease with its facility's time zone and its tenant's military status; undefined when unknown
 */
export const lockLeaseRow = (
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<LockedLease | undefined> =>
  tx
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .selectAll('leases')
    .select(['active_military', 'time_zone'])
    .where('leases.location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    // Not `for update`: two transactions that have each added an entry share the lease's key lock, and one that then
    // requests a full lock could deadlock with the other.
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate('leases'))
    .executeTakeFirst()

/**
 * Returns today's date at a facility.
 * @throws Error when there is no such facility
 */
export async function requireToday(tx: Kysely<Tables>, services: Services, locationCode: string): Promise<IsoDate> {
  const today = await loadToday(tx, services, locationCode)
  if (today === undefined) throw new Error(`There is no facility ${locationCode}`)
  return today
}
