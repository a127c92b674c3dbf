import type { Kysely, Selectable } from 'kysely'
import type { LeaseFeesTable, Tables } from '../../platform/schema/tables.ts'

/** Reads the fees that recur with a lease, by their number. */
export const leaseFeesOf = (
  db: Kysely<Tables>,
  locationCode: string,
  leaseNumber: number,
): Promise<Selectable<LeaseFeesTable>[]> =>
  db
    .selectFrom('lease_fees')
    .selectAll()
    .where((eb) => eb.and({ location_code: locationCode, lease_number: leaseNumber }))
    .orderBy('fee_id')
    .execute()

/** Adds a fee that recurs with the lease; once, however often it is asked. In the caller's transaction. */
export async function addLeaseFee(tx: Kysely<Tables>, fee: LeaseFeesTable): Promise<void> {
  await tx
    .insertInto('lease_fees')
    .values(fee)
    .onConflict((known) => known.columns(['location_code', 'lease_number', 'fee_id']).doNothing())
    .execute()
}
