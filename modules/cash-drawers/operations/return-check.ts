import * as v from 'valibot'
import { keysOf } from '../../../domain/typed-keys.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { facilityFacts } from '../../facilities/facility-price-facts.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { previewField } from '../../standing/ledger-operation.ts'
import { receipt, receiptId } from '../internal/receipt-input.ts'
import { returnCheck } from '../reverse-receipt.ts'
import { describeCounterPayment, returnReasons } from '../rules/counter-receipts.ts'

export const ReturnCheck = approvableOperation({
  name: 'ReturnCheck',
  permission: 'check.return',
  done: 'Taken back: it is owed again, and the tenant has mail.',
  input: v.object({
    location_code: locationCode(),
    receipt_id: receiptId,
    bank_reason: v.picklist(keysOf(returnReasons), 'must be a reason'),
    fee: v.boolean(),
    note: optionalText(300),
    preview: previewField,
  }),
  example: { ...receipt, bank_reason: 'nsf', fee: true, note: '' },
  before: async (services, { location_code: code }) => (await facilityFacts(services, [code])).get(code),
  about: ({ bank_reason, note }) => ({ why: `${returnReasons[bank_reason]}${note === '' ? '' : `: ${note}`}` }),
  async work(act, input, facts) {
    const done = await returnCheck(act, input, input.fee ? facts : undefined)
    await act.audit({
      kind: 'check.returned',
      details: { how: describeCounterPayment(done.method, done.checkNumber), fee: input.fee },
      subject: done.receiptId,
      cents: done.cents,
      tenantId: done.tenantId,
    })
    return done
  },
})
