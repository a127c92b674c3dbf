import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from './lease.ts'

/** Sets a lease's next rent, in cents, which applies to the first period beginning on or after `from`. */
export async function setNextRent(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  next: { rent: Cents; from: IsoDate },
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ next_rent: next.rent, next_rent_from: next.from })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/** Removes a lease's next rent. */
export async function clearNextRent(tx: Kysely<Tables>, { location_code, lease_number }: LeaseKey): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ next_rent: null, next_rent_from: null })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/** Applies the next rent of these leases as their rent. */
export async function applyNextRents(
  tx: Kysely<Tables>,
  locationCode: string,
  leaseNumbers: readonly number[],
): Promise<void> {
  await tx
    .updateTable('leases')
    .set((eb) => ({ rent: eb.fn.coalesce('next_rent', 'rent'), next_rent: null, next_rent_from: null }))
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leaseNumbers)
    .execute()
}

/** Restores a lease's earlier rent, with the applied one as its next rent again. */
export async function restoreRent(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  { rent, next }: { rent: Cents; next: { rent: Cents; from: IsoDate | null } },
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ rent, next_rent: next.rent, next_rent_from: next.from })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}
