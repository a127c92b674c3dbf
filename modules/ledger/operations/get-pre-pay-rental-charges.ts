import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { PREPAY_PERIODS_DEFAULT } from '../../../domain/prepaid-period-limits.ts'
import { prepaidPeriods } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { loadLeaseFees } from '../../leases/load-and-add-recurring-lease-fees.ts'
import { loadAmountDue } from '../amount-due.ts'
import { feeMethodFields, loadRequestedLease, payerAccess, requestedLeaseFields } from '../internal/requested-lease.ts'
import { quotePrepay } from '../quote-prepay.ts'

export const GetPrePayRentalCharges = operation({
  name: 'GetPrePayRentalCharges',
  summary: 'The price of prepaying a lease’s next periods: rent + insurance + fee − discount + tax.',
  access: payerAccess,
  input: v.object({
    ...requestedLeaseFields,
    ...feeMethodFields,
    prePayPeriods: v.optional(prepaidPeriods(1), PREPAY_PERIODS_DEFAULT),
  }),
  output: v.object({
    leaseNumber: v.number(),
    unitID: v.number(),
    /** Amounts are dollars, such as '81.00', for all periods together. `fee` includes the card fee, if one applies. */
    ...textFields('unitNumber', 'rent', 'insurance'),
    ...textFields('fee', 'discount', 'tax', 'total'),
    prePayPeriods: v.number(),
    /** First and last prepaid day, mm/dd/yyyy. `ErrorMessage`: why the lease cannot be paid online; '' if it can. */
    ...textFields('fromDate', 'toDate', 'ErrorMessage'),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, prePayPeriods: 1 },
    output: {
      leaseNumber: 10001,
      unitID: 144,
      unitNumber: '318',
      rent: '81.00',
      insurance: '12.00',
      fee: '0.00',
      discount: '0.00',
      tax: '7.69',
      total: '100.69',
      prePayPeriods: 1,
      fromDate: '12/03/2026',
      toDate: '01/01/2027',
      ErrorMessage: '',
    },
  },
  async run(services, input, callers) {
    const requested = await loadRequestedLease(services, input, callers)
    if (!requested || requested.lease.status === 'Closed') return leaseNotFound()
    const { lease, facts } = requested
    const payment = { autopay: input.autopay_bit, method: input.payment_method }
    const [fees, { blocked }] = await Promise.all([
      loadLeaseFees(services.db.read, lease.location_code, lease.lease_number),
      loadAmountDue(services, facts, lease, payment),
    ])
    const quote = quotePrepay(facts, lease, fees, payment, input.prePayPeriods)
    return succeed({
      leaseNumber: lease.lease_number,
      unitID: lease.unit_id,
      unitNumber: lease.unit_number,
      rent: toWire(quote.rent),
      insurance: toWire(quote.insurance),
      fee: toWire(quote.fee),
      discount: toWire(quote.discount),
      tax: toWire(quote.tax),
      total: toWire(quote.total),
      prePayPeriods: quote.prePayPeriods,
      fromDate: formatUs(quote.periodStart),
      toDate: formatUs(quote.periodEnd),
      ErrorMessage: blocked,
    })
  },
})
