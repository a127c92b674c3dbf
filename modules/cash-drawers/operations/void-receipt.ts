import * as v from 'valibot'
import type { EntryReason } from '../../../domain/office/entry-reasons.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { checkReason, formatReason, previewField, reasonField } from '../../standing/ledger-operation.ts'
import { receipt, receiptId } from '../internal/receipt-input.ts'
import { voidReceipt } from '../reverse-receipt.ts'
import { describeCounterPayment } from '../rules/counter-receipts.ts'

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
  example: { ...receipt, reason: 'wrong-amount', note: '' },
  async before(_, input) {
    checkReason(input)
  },
  about: (input) => ({ why: formatReason(input) }),
  async work(act, input) {
    const done = await voidReceipt(act, input)
    await act.audit({
      kind: 'receipt.voided',
      details: { how: describeCounterPayment(done.method, done.checkNumber) },
      subject: done.receiptId,
      cents: done.cents,
      tenantId: done.tenantId,
    })
    return done
  },
})
