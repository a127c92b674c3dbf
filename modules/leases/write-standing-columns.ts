import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Lease, LeaseKey } from './lease.ts'

/**
 * Sets the columns that follow from a lease's ledger.
 * @param to.open status and overlock; null for a closed lease, which keeps both
 */
export async function setStanding(
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  to: { paidThrough: IsoDate; auctionPrepped: boolean; open: { status: Lease['status']; overlocked: boolean } | null },
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({
      paid_through: to.paidThrough,
      auction_prepped: to.auctionPrepped ? 1 : 0,
      ...(to.open && { status: to.open.status, overlocked: to.open.overlocked ? 1 : 0 }),
    })
    .where((eb) => eb.and({ location_code, lease_number }))
    .execute()
}

/** Columns of a lease that billing may change. */
export type BilledColumns = Partial<Pick<Lease, 'paid_through' | 'status' | 'auction_prepped' | 'overlocked'>>

/** Sets these columns to the same values in several leases of a facility. */
export async function updateBilledLeases(
  tx: Kysely<Tables>,
  locationCode: string,
  leaseNumbers: readonly number[],
  change: BilledColumns,
): Promise<void> {
  await tx
    .updateTable('leases')
    .set(change)
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leaseNumbers)
    .execute()
}
