import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { PREPAY_PERIODS_DEFAULT } from '../../../domain/payment.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { invalidLeaseNumber } from '../../../domain/texts/portal.ts'
import { type Callers, ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { flag, integer, periodsAhead, textFields } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { leaseRow, noLease, reaches, whose } from '../../leases/lease.ts'
import { duesOf } from '../amount-due.ts'
import { leaseFeesOf, quotePrepay } from '../period-price.ts'

const leaseFields = { ...whose, lease_number: integer(invalidLeaseNumber) }

/** How the amount would be paid; it decides on the card fee. Left out: with autopay, which is what is offered first. */
const paymentFields = {
  autopay_bit: v.optional(flag(), true),
  payment_method: v.optional(v.picklist(['CC', 'ACH'], 'must be CC or ACH'), 'CC'),
}

/** Dues and quotes: also for guest payers. */
const payersAccess = { tenant: ownTenant, guest: ownTenant, rental: ownReservationsTenant }

/** The lease that is asked about, with its facility; undefined where this caller has no such lease. */
async function askedLease(
  services: Services,
  input: { location_code: string; tenant_id: number; lease_number: number },
  callers: Callers,
) {
  const [lease, gathered] = await Promise.all([
    leaseRow(services, input, input.lease_number),
    facilityFacts(services, [input.location_code]),
  ])
  const facts = gathered.get(input.location_code)
  return lease && facts && reaches(callers, input, lease.reservation_code) ? { lease, facts } : undefined
}

export const GetPrePayRentalCharges = operation({
  name: 'GetPrePayRentalCharges',
  summary: 'What the next periods of a lease cost, paid ahead: rent + insurance + fee − discount + tax.',
  access: payersAccess,
  input: v.object({
    ...leaseFields,
    ...paymentFields,
    prePayPeriods: v.optional(periodsAhead(1), PREPAY_PERIODS_DEFAULT),
  }),
  output: v.object({
    leaseNumber: v.number(),
    unitID: v.number(),
    ...textFields('unitNumber', 'rent', 'insurance'),
    /** The card fee of this payment included, where there is one. */
    ...textFields('fee', 'discount', 'tax', 'total'),
    prePayPeriods: v.number(),
    /** mm/dd/yyyy: the first and the last day that are paid for. */
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
    const asked = await askedLease(services, input, callers)
    if (!asked || asked.lease.status === 'Closed') return noLease()
    const { lease, facts } = asked
    const payment = { autopay: input.autopay_bit, method: input.payment_method }
    const [fees, { blocked }] = await Promise.all([
      leaseFeesOf(services.db.read, lease.location_code, lease.lease_number),
      duesOf(services, facts, lease, payment),
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

export const GetCurrentDues = operation({
  name: 'GetCurrentDues',
  summary: 'What is owed on a lease today, and what paying it online comes to.',
  access: payersAccess,
  input: v.object({ ...leaseFields, ...paymentFields }),
  output: v.object({
    leaseNumber: v.number(),
    unitID: v.number(),
    ...textFields('unitNumber', 'currentBalanceDue'),
    /** On top of it, where this payment bears the card fee; its tax included in `tax`. */
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
    const asked = await askedLease(services, input, callers)
    if (!asked) return noLease()
    const { lease, facts } = asked
    const dues = await duesOf(services, facts, lease, { autopay: input.autopay_bit, method: input.payment_method })
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
