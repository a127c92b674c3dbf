import type { Kysely } from 'kysely'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { scheduleMoveOutIn, VACATE_REASON_ID } from '../../move-outs/schedule-and-cancel-move-out.ts'
import { completeMoveOut } from '../../move-outs/vacate.ts'
import { transferMailKey } from '../../transfers/finish-transfer-when-lease-closes.ts'
import { movesToUnit } from '../../transfers/texts/transfer.ts'
import { isOfferedTransfer, markTransferSigned, type Transfer } from '../../transfers/transfer-rows.ts'

/** Returns the offered transfer for which a reservation was made; undefined for any other move-in. */
export const findTransferOfReservation = (
  tx: Kysely<Tables>,
  reservation: { locationCode: string; reservationCode: string },
): Promise<Transfer | undefined> =>
  tx
    .selectFrom('transfers')
    .selectAll()
    .where((eb) => eb.and({ location_code: reservation.locationCode, reservation_code: reservation.reservationCode }))
    .where(isOfferedTransfer)
    .executeTakeFirst()

/**
 * Signs a transfer in the transaction that creates the new lease. The old lease ends on its scheduled move-out date;
 * without one, `overlap_days` days after the new lease's first day. An old lease that has ended meanwhile stays as it is.
 */
export async function signTransfer(
  tx: Kysely<Tables>,
  services: Services,
  transfer: Transfer,
  newLease: { leaseNumber: number; unitNumber: string; start: IsoDate; today: IsoDate },
): Promise<void> {
  const { transfer_id, location_code, lease_number } = transfer
  const oldLease = await lockLeaseRow(tx, { location_code, lease_number })
  const isEnded = !oldLease || oldLease.status === 'Closed'
  const lastDay = oldLease?.scheduled_move_out ?? addDays(newLease.start, transfer.overlap_days)
  const now = services.clock.now()
  const isSigned = await markTransferSigned(
    tx,
    transfer_id,
    newLease,
    isEnded ? { ended_at: now } : { ends_on: lastDay },
  )
  if (!isSigned || isEnded) return
  if (lastDay <= newLease.today) {
    await completeMoveOut(tx, services, oldLease, lastDay)
    return
  }
  if (oldLease.scheduled_move_out === null)
    await scheduleMoveOutIn(tx, services, {
      locationCode: location_code,
      leaseNumber: lease_number,
      date: lastDay,
      vacateReasonId: VACATE_REASON_ID,
      customNote: movesToUnit(newLease.unitNumber),
      feedback: null,
      mail: false,
      note: `${movesToUnit(newLease.unitNumber)} This lease ends on ${formatUs(lastDay)}.`,
    })
  await enqueue(tx, {
    kind: 'transfer_signed',
    once: transferMailKey(transfer),
    payload: { transferId: transfer_id },
    runAt: now,
  })
}
