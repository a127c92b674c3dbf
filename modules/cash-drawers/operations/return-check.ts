import * as v from 'valibot'
import { keysOf } from '../../../domain/typed-keys.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { previewField } from '../../standing/ledger-operation.ts'
import { addNote } from '../../tenants/add-note.ts'
import { setFlag } from '../../tenants/flags.ts'
import { receipt as receiptExample, receiptId } from '../internal/drawer-and-receipt-input-fields.ts'
import { type CounterReceipt, checkReturnRefusal } from '../internal/receipt-reversal-refusals.ts'
import { lockReceipt, reverseReceipt } from '../internal/reverse-receipt.ts'
import { returnedCheckFeeEntries } from '../returned-check-fee-entries.ts'
import {
  describeCounterPayment,
  type ReturnReason,
  returnReasons,
} from '../rules/counter-receipt-methods-and-states.ts'
import { returnedEntry } from '../texts/counter.ts'

/** Records that the bank returned a check or money order: the reversal, the fee if wanted, a note, and a mail. */
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
  example: { ...receiptExample, bank_reason: 'nsf', fee: true, note: '' },
  before: async (services, { location_code: code }) => (await loadFacilityFacts(services, [code])).get(code),
  about: ({ bank_reason, note }) => ({ why: `${returnReasons[bank_reason]}${note === '' ? '' : `: ${note}`}` }),
  async work(act, input, facts) {
    const { tx, services } = act
    const receipt = await lockReceipt(tx, input)
    const refusal = checkReturnRefusal(receipt)
    if (refusal) throw new RefusalError(refusal)

    const { receipt_id: subject, cents, tenant_id: tenantId } = receipt
    const paymentText = describeCounterPayment(receipt.method, receipt.check_number)
    const leases = await reverseReceipt(act, receipt, {
      state: 'returned',
      reason: 'returned-check',
      note: input.note,
      storedReason: input.bank_reason,
      description: returnedEntry(paymentText),
      more: (unitTypeId) => (input.fee ? returnedCheckFeeEntries(facts, unitTypeId, subject) : []),
    })
    await noteReturn(act, receipt, paymentText, input.bank_reason)
    const runAt = services.clock.now()
    await enqueue(tx, { kind: 'check_returned', once: subject, payload: { receiptId: subject }, runAt })
    await act.audit({ kind: 'check.returned', details: { how: paymentText, fee: input.fee }, subject, cents, tenantId })
    return { leases }
  },
})

/** Adds a note about the returned payment to the tenant's file, and after a check the flag "no checks". */
async function noteReturn(
  { tx, services, staff }: Pick<OfficeContext, 'tx' | 'services' | 'staff'>,
  { receipt_id, location_code, tenant_id, method }: CounterReceipt,
  paymentText: string,
  bankReason: ReturnReason,
): Promise<void> {
  const tenant = { locationCode: location_code, tenantId: tenant_id }
  const reason = returnReasons[bankReason].toLowerCase()
  await addNote(tx, services, {
    ...tenant,
    note: `${paymentText} was returned by the bank: ${reason} (receipt ${receipt_id}).`,
  })
  if (method !== 'check') return
  await setFlag(tx, services, {
    ...tenant,
    flag: 'no_checks',
    note: `${paymentText} came back`,
    staffId: staff.staffId,
  })
}
