import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { loadAmountDue } from '../amount-due.ts'
import { feeMethodFields, loadRequestedLease, payerAccess, requestedLeaseFields } from '../internal/requested-lease.ts'

export const GetCurrentDues = operation({
  name: 'GetCurrentDues',
  summary: 'What is owed on a lease today, and what paying it online comes to.',
  access: payerAccess,
  input: v.object({ ...requestedLeaseFields, ...feeMethodFields }),
  output: v.object({
    leaseNumber: v.number(),
    unitID: v.number(),
    ...textFields('unitNumber', 'currentBalanceDue'),
    /** `cardFee`: card fee on top of a balance due, '0.00' if no fee applies; `tax`: tax on that fee. */
    ...textFields('cardFee', 'tax', 'total', 'paidThroughDate', 'ErrorMessage'),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 },
    output: {
      leaseNumber: 10001,
      unitID: 144,
      unitNumber: '318',
      currentBalanceDue: '0.00',
      cardFee: '0.00',
      tax: '0.00',
      total: '0.00',
      paidThroughDate: '12/02/2026',
      ErrorMessage: '',
    },
  },
  async run(services, input, callers) {
    const requested = await loadRequestedLease(services, input, callers)
    if (!requested) return leaseNotFound()
    const { lease, facts } = requested
    const dues = await loadAmountDue(services, facts, lease, {
      autopay: input.autopay_bit,
      method: input.payment_method,
    })
    return succeed({
      leaseNumber: lease.lease_number,
      unitID: lease.unit_id,
      unitNumber: lease.unit_number,
      currentBalanceDue: toWire(dues.balance),
      cardFee: toWire(dues.cardFee?.amount ?? 0),
      tax: toWire(dues.cardFee?.tax ?? 0),
      total: toWire(dues.total),
      paidThroughDate: formatUs(lease.paid_through),
      ErrorMessage: dues.blocked,
    })
  },
})
