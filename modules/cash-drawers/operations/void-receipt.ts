import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { EntryReason } from '../../../domain/office/ledger-entry-reasons.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { requireToday } from '../../leases/lock-lease-row.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { checkReason, formatReason, previewField, reasonField } from '../../standing/ledger-operation.ts'
import { receipt as receiptExample, receiptId } from '../internal/drawer-and-receipt-input-fields.ts'
import { lockDrawer } from '../internal/lock-drawer.ts'
import { loadReceipt, voidRefusal } from '../internal/receipt-reversal-refusals.ts'
import { lockReceipt, reverseReceipt } from '../internal/reverse-receipt.ts'
import { describeCounterPayment } from '../rules/counter-receipt-methods-and-states.ts'
import { voidedEntry } from '../texts/counter.ts'

const reasons = ['wrong-lease', 'wrong-amount', 'charged-twice', 'other'] as const satisfies readonly EntryReason[]

export const VoidReceipt = approvableOperation({
  name: 'VoidReceipt',
  permission: 'receipt.void',
  reasons,
  done: 'Voided.',
  input: v.object({
    location_code: locationCode(),
    receipt_id: receiptId,
    reason: reasonField(reasons),
    note: optionalText(300),
    preview: previewField,
  }),
  example: { ...receiptExample, reason: 'wrong-amount', note: '' },
  async before(_, input) {
    checkReason(input)
  },
  about: (input) => ({ why: formatReason(input) }),
  async work(act, input) {
    const { tx, services } = act
    const { receipt, drawerState } = await lockReceiptWithDrawer(tx, input)
    const refusal = voidRefusal(receipt, drawerState, await requireToday(tx, services, receipt.location_code))
    if (refusal) throw new RefusalError(refusal)

    const paymentText = describeCounterPayment(receipt.method, receipt.check_number)
    const leases = await reverseReceipt(act, receipt, {
      state: 'voided',
      reason: input.reason,
      note: input.note,
      storedReason: input.reason,
      description: voidedEntry(paymentText),
    })
    const { receipt_id: subject, cents, tenant_id: tenantId } = receipt
    await enqueue(tx, {
      kind: 'receipt_voided',
      once: subject,
      payload: { receiptId: subject },
      runAt: services.clock.now(),
    })
    await act.audit({ kind: 'receipt.voided', details: { how: paymentText }, subject, cents, tenantId })
    return { leases }
  },
})

/**
 * Locks a receipt of a facility, and its drawer first.
 * @throws RefusalError where the facility has no such receipt
 */
async function lockReceiptWithDrawer(tx: Kysely<Tables>, key: { location_code: string; receipt_id: string }) {
  const unlocked = await loadReceipt(tx, key.receipt_id)
  const drawer = unlocked && (await lockDrawer(tx, unlocked.batch_id))
  return { receipt: await lockReceipt(tx, key), drawerState: drawer?.state ?? '' }
}
