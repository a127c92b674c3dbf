import type { Kysely } from 'kysely'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { RentChange } from '../internal/rent-change-facts.ts'

/**
 * Returns the changes of a batch that are proposed, or approved or announced, at facilities where the staff member
 * approves rents.
 * @param which 'announced' includes approved changes whose notice is not sent yet
 */
export async function changesToDecide(
  db: Kysely<Tables>,
  caller: StaffCaller,
  batchId: string,
  which: 'proposed' | 'announced',
): Promise<RentChange[]> {
  const rows = await db
    .selectFrom('rent_changes')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('state', 'in', which === 'proposed' ? ['proposed'] : ['approved', 'coming'])
    .orderBy('location_code')
    .orderBy('lease_number')
    .execute()
  return rows.filter((row) => grantAt(caller, 'rent.approve', row.location_code) === 'yes')
}
