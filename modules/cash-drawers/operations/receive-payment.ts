import * as v from 'valibot'
import { counterMethods, LEASES_OF_RECEIPT, paidByHand, RECEIPT_MOST } from '../../../domain/office/counter.ts'
import { may } from '../../../platform/operations/callers.ts'
import { integer, locationCode, optional, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { signedCents } from '../../standing/adjustments.ts'
import { batchId, cents, drawer, preview } from '../internal/receipt-input.ts'
import { receive } from '../receive.ts'
import { amountTooLarge, nothingEntered, numberNeeded } from '../texts/counter.ts'

const invalid = (fields: Record<string, string>) => refuse(400, 'invalid_input', 'Please check the form.', { fields })

export const ReceivePayment = internalOperation({
  name: 'ReceivePayment',
  access: { staff: may('payment.receive') },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    batch_id: batchId,
    method: v.picklist(counterMethods, 'must be check, cash or money_order'),
    check_number: v.pipe(optional(30), v.regex(/^[A-Za-z0-9 -]*$/, 'must be letters and digits')),
    leases: v.pipe(
      v.array(
        v.object({
          lease_number: integer(),
          cents,
          balance: signedCents,
          newest_entry: v.pipe(plainLine, v.maxLength(80)),
        }),
      ),
      v.minLength(1, nothingEntered),
      v.maxLength(LEASES_OF_RECEIPT),
    ),
    preview,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      batch_id: drawer.batch_id,
      method: 'check',
      check_number: '1042',
      leases: [{ lease_number: 10001, cents: 10_069, balance: 10_069, newest_entry: '' }],
    },
  },
  async run(services, input, callers) {
    const { method, check_number } = input
    const leases = input.leases.filter((one) => one.cents > 0)
    if (leases.length === 0) return invalid({ leases: nothingEntered })
    if (method !== 'cash' && check_number === '' && !input.preview) return invalid({ check_number: numberNeeded })
    if (new Set(leases.map((one) => one.lease_number)).size < leases.length) return invalid({ leases: nothingEntered })
    if (leases.reduce((sum, one) => sum + one.cents, 0) > RECEIPT_MOST)
      return invalid({ leases: amountTooLarge(RECEIPT_MOST) })
    const handed = { ...input, leases, check_number: method === 'cash' ? '' : check_number }
    const [first] = leases
    return officeAct(
      services,
      callers,
      {
        operation: 'ReceivePayment',
        input: { ...handed, reason: '' },
        permission: 'payment.receive',
        tenantId: input.tenant_id,
        ...(first && { leaseNumber: first.lease_number }),
      },
      async (tx, tools) => {
        const done = await receive(tx, services, callers, tools, handed)
        const units = done.leases.map((one) => one.unitNumber).join(', ')
        return {
          done,
          event: {
            kind: 'payment.received',
            details: { how: paidByHand(method, handed.check_number), units, drawer: input.batch_id },
            subject: done.receiptId,
            cents: done.cents,
          },
        }
      },
    )
  },
})
