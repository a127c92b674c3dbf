import type { Kysely } from 'kysely'
import { addDays, formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { lockLease } from '../leases/lock-lease.ts'
import { scheduleMoveOutIn, VACATE_REASON_ID } from '../move-outs/scheduled-move-out.ts'
import { completeMoveOut } from '../move-outs/vacate.ts'
import { transferMailKey } from '../transfers/finish-transfer.ts'
import { movesToUnit } from '../transfers/texts/transfer.ts'
import { isOfferedTransfer, markTransferSigned, type Transfer } from '../transfers/transfer-rows.ts'

/** Returns the offered transfer for which a reservation was made; undefined for any other move-in. */
export const findTransferOfReservation = (
  tx: Kysely<Tables>,
  of: { locationCode: string; reservationCode: string },
): Promise<Transfer | undefined> =>
  tx
    .selectFrom('transfers')
    .selectAll()
    .where((eb) => eb.and({ location_code: of.locationCode, reservation_code: of.reservationCode }))
    .where(isOfferedTransfer)
    .executeTakeFirst()

/**
 * Signs a transfer in the transaction that creates the new lease. The old lease ends after the overlap, or at once
 * without one. An old lease that ended meanwhile stays as it is, and a scheduled move-out keeps its date.
 */
export async function signTransfer(
  tx: Kysely<Tables>,
  services: Services,
  offered: Transfer,
  made: { leaseNumber: number; unitNumber: string; start: IsoDate; today: IsoDate },
): Promise<void> {
  const { transfer_id, location_code, lease_number } = offered
  const old = await lockLease(tx, { location_code, lease_number })
  const ended = !old || old.status === 'Closed'
  const last = old?.scheduled_move_out ?? addDays(made.start, offered.overlap_days)
  const now = services.clock.now()
  const moved = await markTransferSigned(tx, transfer_id, made, ended ? { ended_at: now } : { ends_on: last })
  if (!moved || ended) return
  if (last <= made.today) {
    await completeMoveOut(tx, services, old, last)
    return
  }
  if (old.scheduled_move_out === null)
    await scheduleMoveOutIn(tx, services, {
      locationCode: location_code,
      leaseNumber: lease_number,
      date: last,
      vacateReasonId: VACATE_REASON_ID,
      customNote: movesToUnit(made.unitNumber),
      feedback: null,
      mail: false,
      note: `${movesToUnit(made.unitNumber)} This lease ends on ${formatUs(last)}.`,
    })
  await enqueue(tx, {
    kind: 'transfer_signed',
    once: transferMailKey(offered),
    payload: { transferId: transfer_id },
    runAt: now,
  })
}
