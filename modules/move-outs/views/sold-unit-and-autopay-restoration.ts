import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { isSoldAtAuction } from '../../links/paid-auction-winners.ts'
import { canRestoreAutopay } from '../rules/autopay-after-cancelling.ts'
import type { Lease } from '../schedule-and-cancel-move-out.ts'
import { loadNewestMoveOut } from './newest-move-out.ts'

/** Returns whether the lease's unit was sold at auction, and whether cancelling its move-out can restore autopay. */
export async function loadMoveOutPage(
  db: Kysely<Tables>,
  lease: Pick<Lease, 'location_code' | 'lease_number' | 'scheduled_move_out'>,
): Promise<{ isSold: boolean; mayRestoreAutopay: boolean }> {
  const [moveOut, isSold] = await Promise.all([
    loadNewestMoveOut(db, { locationCode: lease.location_code, leaseNumber: lease.lease_number }),
    isSoldAtAuction(db, lease),
  ])
  return { isSold, mayRestoreAutopay: canRestoreAutopay(moveOut) }
}
