import type { Kysely } from 'kysely'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { RentChange } from '../internal/rent-change-facts.ts'

/**
 * Loads a batch's changes at facilities where the staff member approves rents: those that wait for a decision
 * ('proposed'), or those that are approved but not yet charged, and so may be cancelled ('announced').
 */
export async function loadChangesToDecide(
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
