import * as v from 'valibot'
import { paidByHand, returnReasons } from '../../../domain/office/counter.ts'
import { may } from '../../../platform/operations/callers.ts'
import { locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { preview, receipt, receiptId } from '../internal/receipt-input.ts'
import { returnCheck } from '../void-receipt.ts'

export const ReturnCheck = internalOperation({
  name: 'ReturnCheck',
  access: { staff: may('check.return') },
  input: v.object({
    location_code: locationCode(),
    receipt_id: receiptId,
    bank_reason: v.picklist(Object.keys(returnReasons) as (keyof typeof returnReasons)[], 'must be a reason'),
    fee: v.boolean(),
    note: optional(300),
    preview,
  }),
  example: { input: { ...receipt, bank_reason: 'nsf', fee: true, note: '' } },
  async run(services, input, callers) {
    const facts = (await facilityFacts(services, [input.location_code])).get(input.location_code)
    const reason = `${returnReasons[input.bank_reason]}${input.note === '' ? '' : `: ${input.note}`}`
    return officeAct(
      services,
      callers,
      { operation: 'ReturnCheck', input: { ...input, reason }, permission: 'check.return' },
      async (tx, tools) => {
        const done = await returnCheck(tx, services, callers, tools, input, input.fee ? facts : undefined)
        return {
          done,
          event: {
            kind: 'check.returned',
            details: { how: paidByHand(done.method, done.checkNumber), fee: input.fee },
            subject: done.receiptId,
            cents: done.cents,
            tenantId: done.tenantId,
          },
        }
      },
    )
  },
})
