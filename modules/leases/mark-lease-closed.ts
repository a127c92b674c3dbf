import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Lease, LeaseKey } from './lease.ts'

/**
 * Closes an open lease.
 * @returns the lease; null where it was closed already or does not exist
 */
export async function closeLease(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  date: IsoDate,
): Promise<Pick<Lease, 'location_code' | 'lease_number' | 'tenant_id' | 'unit_number' | 'lien_case'> | null> {
  const closed = await tx
    .updateTable('leases')
    .set({ status: 'Closed', closed_on: date, overlocked: 0, next_rent: null, next_rent_from: null })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('status', '!=', 'Closed')
    .returning(['location_code', 'lease_number', 'tenant_id', 'unit_number', 'lien_case'])
    .executeTakeFirst()
  return closed ?? null
}
