import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadStaffNames } from '../../staff/staff-members.ts'
import { loadRentRows, type RentRow } from './rent-change-rows.ts'

const MAX_CHANGES = 50

/** A rent change of a lease, with its proposer, time of proposal and reason. */
export interface RentHistory extends RentRow {
  by: string
  at: Instant
  reason: string
}

/** Returns a lease's rent changes, newest first, at most 50. */
export async function loadRentHistory(
  services: Services,
  lease: { location_code: string; lease_number: number },
): Promise<RentHistory[]> {
  const { read } = services.db
  const changes = await read
    .selectFrom('rent_changes')
    .selectAll()
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .orderBy('proposed_at', 'desc')
    .limit(MAX_CHANGES)
    .execute()
  const [rows, names] = await Promise.all([
    loadRentRows(services, changes),
    loadStaffNames(
      read,
      changes.map((change) => change.proposed_by),
    ),
  ])
  return rows.flatMap((row, index) => {
    const change = changes[index]
    return change
      ? [{ ...row, by: names.get(change.proposed_by) ?? '', at: change.proposed_at, reason: change.reason }]
      : []
  })
}
