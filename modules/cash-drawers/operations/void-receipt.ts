import * as v from 'valibot'
import { paidByHand } from '../../../domain/office/counter.ts'
import { reasonText } from '../../../domain/office/reasons.ts'
import { may } from '../../../platform/operations/callers.ts'
import { locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { reasonField, unexplained } from '../../standing/adjustments.ts'
import { preview, receipt, receiptId } from '../internal/receipt-input.ts'
import { voidReceipt } from '../void-receipt.ts'

export const VoidReceipt = internalOperation({
  name: 'VoidReceipt',
  access: { staff: may('receipt.void') },
  input: v.object({
    location_code: locationCode(),
    receipt_id: receiptId,
    reason: reasonField('void'),
    note: optional(300),
    preview,
  }),
  example: { input: { ...receipt, reason: 'wrong-amount', note: '' } },
  async run(services, input, callers) {
    const missing = unexplained(input)
    if (missing) return missing
    const why = input.reason === '' ? '' : reasonText(input.reason, input.note)
    return officeAct(
      services,
      callers,
      { operation: 'VoidReceipt', input, permission: 'receipt.void', why },
      async (tx, tools) => {
        const done = await voidReceipt(tx, services, callers, tools, input)
        return {
          done,
          event: {
            kind: 'receipt.voided',
            details: { how: paidByHand(done.method, done.checkNumber) },
            subject: done.receiptId,
            cents: done.cents,
            tenantId: done.tenantId,
          },
        }
      },
    )
  },
})
