import type { Kysely, Selectable } from 'kysely'
import type { LeaseFeesTable, Tables } from '../../platform/schema/tables.ts'

/** Returns a lease's recurring fees, sorted by fee id. */
export const loadLeaseFees = (
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

/** Adds a recurring fee to a lease, unless the lease has it already. */
export async function addLeaseFee(tx: Kysely<Tables>, fee: LeaseFeesTable): Promise<void> {
  await tx
    .insertInto('lease_fees')
    .values(fee)
    .onConflict((conflict) => conflict.columns(['location_code', 'lease_number', 'fee_id']).doNothing())
    .execute()
}
