import * as v from 'valibot'
import { optionalText, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError, succeed } from '../../../platform/operations/outcome.ts'
import { hasPendingOrder } from '../../payments/expire-unpaid-holds.ts'
import { cancelReservationIn } from '../../reservations/cancel-reservation.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import * as say from '../texts/transfer.ts'
import { isOfferedTransfer, loadOpenTransfer, type Transfer } from '../transfer-rows.ts'
import { leaseExample, leaseNotFoundFor, transferAccess } from './transfer-operation-parts.ts'

const cancelInput = v.object({
  ...leaseFields,
  transfer_id: v.pipe(plainLine, v.uuid('must be a uuid')),
  reason: optionalText(500),
})

/**
 * Cancels the offered transfer that the form displayed and frees the new unit. The lock order is that of the rental's
 * payment: draft, reservation, unit, transfer.
 * @throws RefusalError when the transfer is another tenant's or no longer offered, or the new unit is being paid for
 */
async function cancelTransfer(
  { tx, services, callers }: Pick<OfficeContext, 'tx' | 'services' | 'callers'>,
  input: v.InferOutput<typeof cancelInput>,
): Promise<Transfer> {
  const transfer = await loadOpenTransfer(tx, input)
  if (transfer && transfer.tenant_id !== input.tenant_id) throw new RefusalError(leaseNotFoundFor(callers))
  if (transfer?.transfer_id !== input.transfer_id || transfer.state !== 'offered')
    throw refusalError(409, 'changed', say.transferNotCancellable)
  const reservationKey = { locationCode: transfer.location_code, reservationCode: transfer.reservation_code }
  const cancellation = await cancelReservationIn(tx, services, reservationKey, hasPendingOrder)
  if (cancellation === 'paying') throw refusalError(409, 'paying', say.transferIsPaid)
  if (cancellation !== 'cancelled') throw refusalError(409, 'changed', say.transferNotCancellable)
  await tx
    .updateTable('transfers')
    .set({ state: 'cancelled', ended_at: services.clock.now() })
    .where('transfer_id', '=', transfer.transfer_id)
    .where(isOfferedTransfer)
    .execute()
  return transfer
}

const toResponse = ({ to_unit_number }: Transfer) => ({ unit_number: to_unit_number })

/** Cancels an offered transfer, which is not yet signed and paid, as a staff member. */
const cancelByStaff = officeOperation({
  name: 'CancelTransfer',
  permission: 'unit.transfer',
  input: cancelInput,
  example: { ...leaseExample, transfer_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15' },
  async work(act, input) {
    const transfer = await cancelTransfer(act, input)
    const details = { unit: transfer.unit_number, to: transfer.to_unit_number }
    await act.audit({ kind: 'transfer.cancelled', details })
    return toResponse(transfer)
  },
})

/** Cancels a transfer that is not yet signed and paid, for the tenant or for a staff member. */
export const CancelTransfer = internalOperation({
  ...cancelByStaff,
  access: transferAccess,
  async run(services, input, callers) {
    if (callers.staff) return cancelByStaff.run(services, input, callers)
    return succeed(
      await services.db.transaction(async (tx) => toResponse(await cancelTransfer({ tx, services, callers }, input))),
    )
  },
})
