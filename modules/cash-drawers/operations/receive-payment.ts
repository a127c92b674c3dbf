import * as v from 'valibot'
import { integer, locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { RefusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import { approvableOperation } from '../../staff/approvable-operation.ts'
import { displayedLedgerFields, previewField } from '../../standing/ledger-operation.ts'
import { type CounterPayment, receivePayment } from '../internal/counter-payment.ts'
import { batchId, cents, drawer } from '../internal/receipt-input.ts'
import {
  counterMethods,
  describeCounterPayment,
  MAX_LEASES_PER_RECEIPT,
  MAX_RECEIPT_CENTS,
} from '../rules/counter-receipts.ts'
import { amountTooLarge, nothingEntered, numberNeeded } from '../texts/counter.ts'

const paymentInput = v.object({
  location_code: locationCode(),
  tenant_id: integer(),
  batch_id: batchId,
  method: v.picklist(counterMethods, 'must be check, cash or money_order'),
  check_number: v.pipe(optionalText(30), v.regex(/^[A-Za-z0-9 -]*$/, 'must be letters and digits')),
  leases: v.pipe(
    v.array(
      v.object({
        lease_number: integer(),
        cents,
        ...displayedLedgerFields,
      }),
    ),
    v.minLength(1, nothingEntered),
    v.maxLength(MAX_LEASES_PER_RECEIPT),
  ),
  preview: previewField,
})

export const ReceivePayment = approvableOperation({
  name: 'ReceivePayment',
  permission: 'payment.receive',
  done: 'Received.',
  button: { label: 'Take payment', key: 'p', place: 1, page: 'receive', about: 'tenant' },
  input: paymentInput,
  example: {
    location_code: 'ATL01',
    tenant_id: 1001,
    batch_id: drawer.batch_id,
    method: 'check',
    check_number: '1042',
    leases: [{ lease_number: 10001, cents: 10_069, balance: 10_069, newest_entry: '' }],
  },
  about: ({ leases }) => {
    const first = leases.find((lease) => lease.cents > 0)
    return { ...(first && { leaseNumber: first.lease_number }) }
  },
  before: async (_, input) => paymentOf(input),
  async work(act, input, payment) {
    const done = await receivePayment(act, payment)
    const units = done.leases.map((lease) => lease.unitNumber).join(', ')
    await act.audit({
      kind: 'payment.received',
      details: { how: describeCounterPayment(payment.method, payment.check_number), units, drawer: input.batch_id },
      subject: done.receiptId,
      cents: done.cents,
    })
    return done
  },
})

/**
 * Validates the payment and drops leases without an amount.
 * @throws RefusalError
 */
function paymentOf(input: v.InferOutput<typeof paymentInput>): CounterPayment {
  const { method, check_number } = input
  const leases = input.leases.filter((lease) => lease.cents > 0)
  if (leases.length === 0) throw new RefusalError(wrongFields({ leases: nothingEntered }))
  if (method !== 'cash' && check_number === '' && !input.preview)
    throw new RefusalError(wrongFields({ check_number: numberNeeded }))
  if (new Set(leases.map((lease) => lease.lease_number)).size < leases.length)
    throw new RefusalError(wrongFields({ leases: nothingEntered }))
  if (leases.reduce((sum, lease) => sum + lease.cents, 0) > MAX_RECEIPT_CENTS)
    throw new RefusalError(wrongFields({ leases: amountTooLarge(MAX_RECEIPT_CENTS) }))
  return { ...input, leases, check_number: method === 'cash' ? '' : check_number }
}
