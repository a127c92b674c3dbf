import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Callers } from '../../../platform/operations/callers.ts'
import { optionalText, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { type Outcome, RefusalError, refusalError, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { hasPendingOrder } from '../../payments/expire-unpaid-holds.ts'
import { runApprovableOperation } from '../../staff/approvable-operation.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { cancelTransfer } from '../internal/cancel-transfer.ts'
import * as say from '../texts/transfer.ts'
import { loadOpenTransfer, type Transfer } from '../transfer-rows.ts'
import { leaseExample, leaseNotFoundFor, officeCallOf, transferAccess } from './transfer-operation-parts.ts'

const cancelInput = v.object({
  ...leaseFields,
  transfer_id: v.pipe(plainLine, v.uuid('must be a uuid')),
  reason: optionalText(500),
})

/** Cancels the transfer that the form displayed. */
async function cancel(
  tx: Kysely<Tables>,
  services: Services,
  input: v.InferOutput<typeof cancelInput>,
  callers: Callers,
): Promise<Transfer> {
  const transfer = await loadOpenTransfer(tx, input)
  if (transfer && transfer.tenant_id !== input.tenant_id) throw new RefusalError(leaseNotFoundFor(callers))
  if (transfer?.transfer_id !== input.transfer_id || transfer.state !== 'offered')
    throw refusalError(409, 'changed', say.transferNotCancellable)
  const cancellation = await cancelTransfer(tx, services, transfer, hasPendingOrder)
  if (cancellation === 'paying') throw refusalError(409, 'paying', say.transferIsPaid)
  if (cancellation !== 'cancelled') throw refusalError(409, 'changed', say.transferNotCancellable)
  return transfer
}

export const CancelTransfer = internalOperation({
  name: 'CancelTransfer',
  access: transferAccess,
  input: cancelInput,
  example: { input: { ...leaseExample, transfer_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15' } },
  async run(services, input, callers): Promise<Outcome<{ unit_number: string }>> {
    const toResponse = ({ to_unit_number }: Transfer) => ({ unit_number: to_unit_number })
    if (!callers.staff)
      return succeed(
        await services.db.transaction(async (tx) => toResponse(await cancel(tx, services, input, callers))),
      )
    const result = await runApprovableOperation(services, callers, officeCallOf('CancelTransfer', input), async (act) => {
      const transfer = await cancel(act.tx, services, input, callers)
      await act.audit({
        kind: 'transfer.cancelled',
        details: { unit: transfer.unit_number, to: transfer.to_unit_number },
      })
      return toResponse(transfer)
    })
    return result.ok ? succeed(result.value.done as { unit_number: string }) : result
  },
})
