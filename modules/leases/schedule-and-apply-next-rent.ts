import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from './lease.ts'

/** Sets a lease's next rent, in cents, which applies from the first period that begins on or after `from`. */
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

export async function clearNextRent(tx: Kysely<Tables>, { location_code, lease_number }: LeaseKey): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ next_rent: null, next_rent_from: null })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/** Makes the scheduled next rent of these leases their current rent. Leases without a scheduled rent are unchanged. */
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

/** Restores a lease's rent from before a rent change, and plans the changed rent as its next rent again. */
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
