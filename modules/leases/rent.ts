import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from './lease.ts'

/** Sets the rent to come of a lease, in cents, from the first period that begins on or after `from`. */
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

/** Takes back the rent to come of a lease. */
export async function clearNextRent(tx: Kysely<Tables>, { location_code, lease_number }: LeaseKey): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ next_rent: null, next_rent_from: null })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/** Makes the rent to come of these leases their rent. */
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

/** Gives a lease its earlier rent again, with the rent that was applied still to come. */
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
