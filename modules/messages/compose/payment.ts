import { returnReason } from '../../../domain/bank.ts'
import { type ReturnReason, returnReasons } from '../../../domain/office/counter.ts'
import { failureReason, refundReason } from '../../../domain/payment.ts'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type CounterReceiptFacts, counterReceiptFacts } from '../../cash-drawers/views/receipt-details.ts'
import { autopayOffPath } from '../../leases/autopay-link.ts'
import { leasesWithTenant } from '../../leases/lease-queries.ts'
import { lockDay } from '../../leases/rules/unit-alerts.ts'
import { balanceOf } from '../../ledger/balances.ts'
import { auctionMoveOutDate } from '../../links/rules/auction.ts'
import { paidAhead } from '../../payments/payers/lease.ts'
import type { Payment } from '../../payments/payment.ts'
import { type PaymentFacts, paymentFacts } from '../../payments/receipt.ts'
import { PERIOD_DAYS } from '../../pricing/rules/charges.ts'
import { sentRefund } from '../../refunds/refunds-of-order.ts'
import type { ToRenter } from '../letters/shared.ts'
import {
  agreedOf,
  authorizedOf,
  type Composers,
  loadLetters,
  nothing,
  owingLease,
  paidLease,
  placeOf,
  renter,
  troubled,
  unitUrl,
} from './facts.ts'

/** For those who cannot turn autopay off on the unit's page: a guest who turned it on, a tenant without an account. */
async function autopayOffFor(
  services: Services,
  { payer, location_code, lease_number }: Payment,
): Promise<string | null> {
  if (lease_number === null || payer === 'auction') return null
  const lease = await leasesWithTenant(services.db.read)
    .select(['autopay_consent_at', 'grant_online_access'])
    .where('leases.location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    .where('autopay', '=', 1)
    .executeTakeFirst()
  if (!lease || (payer !== 'guest' && lease.grant_online_access === 1)) return null
  return autopayOffPath(services, {
    locationCode: location_code,
    leaseNumber: lease_number,
    agreedAt: lease.autopay_consent_at,
  })
}

export const paymentNotices: Composers<
  | 'receipt'
  | 'autopay_on'
  | 'auction_payment'
  | 'payment_due'
  | 'past_due'
  | 'autopay_refused'
  | 'payment_returned'
  | 'payment_review'
  | 'refund'
  | 'counter_receipt'
  | 'receipt_voided'
  | 'check_returned'
  | 'refund_sent'
> = {
  async receipt(services, { orderId }) {
    const paid = await paymentFacts(services, orderId)
    const place = paid && (await placeOf(services, paid.locationCode))
    const counted = paid && (paid.leaseNumber !== null || paid.parts.length > 0)
    if (!counted || !place || paid.total === 0 || paid.to === '') return nothing
    const off = await autopayOffFor(services, paid.payment)
    return {
      to: paid.to,
      notice: (await loadLetters()).receipt({
        ...renter(place, paid.name, paid.unitNumber),
        receiptNumber: paid.receiptNumber,
        paymentDate: paid.date,
        lines: paid.lines,
        total: paid.total,
        method: paid.method,
        paidThrough: paid.paidThrough,
        authorized: authorizedOf(paid.payment, place.facility.timeZone),
        autopayOffUrl: off && `${services.publicUrl}${off}`,
      }),
    }
  },

  async autopay_on(services, { orderId }) {
    const kept = await paymentFacts(services, orderId)
    const place = kept && (await placeOf(services, kept.locationCode))
    if (!kept || !place || kept.to === '' || kept.payment.authorisation === null) return nothing
    return {
      to: kept.to,
      notice: (await loadLetters()).autopayOn({
        ...renter(place, kept.first, kept.unitNumber),
        method: kept.method,
        agreed: agreedOf(kept.payment.authorisation, place.facility.timeZone),
        unitUrl: unitUrl(services, {
          locationCode: kept.locationCode,
          leaseNumber: kept.leaseNumber,
          tenantId: kept.payment.tenant_id,
        }),
      }),
    }
  },

  async auction_payment(services, { uuid }) {
    const winner = await services.db.read
      .selectFrom('auction_winners')
      .selectAll()
      .where('uuid', '=', uuid)
      .where('state', '=', 'paid')
      .executeTakeFirst()
    const [place, paid, lease] = await Promise.all([
      winner && placeOf(services, winner.location_code),
      winner?.order_id ? paymentFacts(services, winner.order_id) : null,
      winner &&
        services.db.read
          .selectFrom('leases')
          .select('scheduled_move_out')
          .where((eb) => eb.and({ location_code: winner.location_code, lease_number: winner.lease_number }))
          .executeTakeFirst(),
    ])
    if (!winner || !place || !paid || winner.email === '') return nothing
    return {
      to: winner.email,
      notice: (await loadLetters()).auctionPaymentReceived({
        ...renter(place, winner.name, winner.unit_number),
        amount: paid.total,
        gateCode: winner.gate_code,
        comboCode: winner.combo_code,
        moveOutDate: lease?.scheduled_move_out ?? auctionMoveOutDate(paid.date),
      }),
    }
  },

  async payment_due(services, due) {
    const of = await owingLease(services, due)
    if (!of) return nothing
    const { periodStart } = due
    return {
      to: of.to,
      notice: (await loadLetters()).paymentDue({
        ...of.facts,
        periodStart,
        periodEnd: addDays(periodStart, PERIOD_DAYS - 1),
        locked: of.locked?.already === true,
      }),
    }
  },

  async past_due(services, due) {
    const of = await owingLease(services, due)
    // Paid for in part since: what is past due is another period now.
    if (!of || addDays(of.paidThrough, 1) !== due.periodStart) return nothing
    return {
      to: of.to,
      notice: (await loadLetters()).pastDue({
        ...of.facts,
        paidThrough: of.paidThrough,
        lockedFrom: lockDay(of.paidThrough),
      }),
    }
  },

  async autopay_refused(services, { orderId, autopayOff, nextTry }) {
    const paid = await paymentFacts(services, orderId)
    if (!paid || paid.leaseNumber === null) return nothing
    const of = await paidLease(services, { locationCode: paid.locationCode, leaseNumber: paid.leaseNumber })
    // Paid in another way since: the mail matters only where autopay is off.
    if (!of || of.closed || (of.facts.balance <= 0 && !autopayOff)) return nothing
    return {
      to: of.to,
      notice: (await loadLetters()).paymentFailed({
        ...of.facts,
        kind: 'refused',
        amount: paid.payment.amount,
        reason: `The reason given was: ${failureReason({
          responseCode: paid.payment.response_code ?? '',
          responseDescription: paid.payment.response_text ?? '',
        }).replace(/\.$/, '')}.`,
        autopayOff,
        nextTry,
        // While a retry is scheduled, the unit is not overlocked.
        locked: nextTry === null ? of.locked : null,
      }),
    }
  },

  async payment_returned(services, { orderId, autopayOff }) {
    const paid = await paymentFacts(services, orderId)
    const of = paid && (await returnedLeases(services, paid))
    if (!of) return nothing
    return {
      to: of.to,
      notice: (await loadLetters()).paymentFailed({
        ...of.facts,
        kind: 'returned',
        amount: paid.total,
        autopayOff,
        locked: of.locked,
        // What was paid ahead is not owed before it begins.
        beginsOn: paidAhead(services, paid.payment) && addDays(of.paidThrough, 1),
        reason: returnReason(paid.payment.return_code ?? '').what,
      }),
    }
  },

  async payment_review(services, { orderId }) {
    const facts = await troubled(services, orderId)
    return facts && { to: facts.to, notice: (await loadLetters()).paymentUnderReview(facts.notice) }
  },

  /** @param of `by`: how a person has given it back, where the provider could not */
  async refund(services, { orderId, by }) {
    const facts = await troubled(services, orderId)
    return (
      facts && {
        to: facts.to,
        notice: (await loadLetters()).refundMade({
          ...facts.notice,
          why: refundReason(facts.trouble, facts.payer),
          method: by ?? facts.method,
          byHand: by !== undefined,
        }),
      }
    )
  },

  async counter_receipt(services, { receiptId }) {
    const of = await byHand(services, receiptId)
    // Voided in the meantime: that has a mail of its own.
    if (!of || of.facts.state === 'voided') return nothing
    const { facts } = of
    return {
      to: facts.to,
      notice: (await loadLetters()).receipt({
        ...renter(of.place, facts.name, facts.unitNumbers),
        receiptNumber: receiptId,
        paymentDate: facts.receipt.received_on,
        lines: facts.lines,
        total: facts.receipt.cents,
        method: facts.method,
        paidThrough: facts.paidThrough,
      }),
    }
  },

  async receipt_voided(services, { receiptId }) {
    const of = await byHand(services, receiptId)
    if (!of) return nothing
    const { facts } = of
    return {
      to: facts.to,
      notice: (await loadLetters()).receiptVoided({
        ...renter(of.place, facts.first, facts.unitNumbers),
        receiptNumber: receiptId,
        method: facts.method,
        total: facts.receipt.cents,
      }),
    }
  },

  async check_returned(services, { receiptId }) {
    const of = await byHand(services, receiptId)
    const [unit] = of?.facts.units ?? []
    if (!of || !unit) return nothing
    const { facts, place } = of
    const paid = await paidLease(services, {
      locationCode: facts.receipt.location_code,
      leaseNumber: unit.leaseNumber,
    })
    return {
      to: facts.to,
      notice: (await loadLetters()).checkReturned({
        ...returnedCheck(facts, renter(place, facts.first, facts.unitNumbers)),
        payUrl: paid?.facts.payUrl ?? services.publicUrl,
      }),
    }
  },

  async refund_sent(services, { refundId }) {
    const of = await sentRefund(services, refundId)
    const facts = of && (await troubled(services, of.orderId))
    if (!of || !facts) return nothing
    const { leaseNumber, locationCode, tenantId } = of
    return {
      to: facts.to,
      notice: (await loadLetters()).refundSent({
        ...facts.notice,
        ...(of.unitNumber !== null && { unitNumber: of.unitNumber }),
        amount: of.cents,
        to: of.to,
        byHand: of.byHand,
        forgiven: of.forgiven,
        paid: { cents: of.captured, on: formatUs(of.paidOn) },
        balance: await balanceOf(services.db.read, locationCode, leaseNumber),
        payUrl: unitUrl(services, { locationCode, leaseNumber, tenantId }),
      }),
    }
  },
}

/** The lease that a returned debit had paid; of several, the first, with what all of them owe. */
async function returnedLeases(services: Services, { locationCode, leaseNumber, parts, unitNumber }: PaymentFacts) {
  const first = leaseNumber ?? parts[0]?.leaseNumber
  const of = first === undefined ? null : await paidLease(services, { locationCode, leaseNumber: first })
  if (!of || parts.length < 2) return of
  const owed = await Promise.all(parts.map((part) => balanceOf(services.db.read, locationCode, part.leaseNumber)))
  const balance = owed.reduce((sum, cents) => sum + Math.max(cents, 0), 0)
  return { ...of, facts: { ...of.facts, unitNumber, balance, trouble: null, payUrl: `${services.publicUrl}/my-units` } }
}

/** A receipt of money by hand, and where; null where the tenant has no address. */
async function byHand(services: Services, receiptId: string) {
  const facts = await counterReceiptFacts(services, receiptId)
  const place = facts && (await placeOf(services, facts.receipt.location_code))
  return facts && place && facts.to !== '' ? { facts, place } : null
}

/** What the letter about a returned check says. */
export const returnedCheck = <To extends ToRenter>(facts: CounterReceiptFacts, to: To) => ({
  ...to,
  receiptNumber: facts.receipt.receipt_id,
  method: facts.method,
  total: facts.receipt.cents,
  fee: facts.fee,
  reason: (returnReasons[facts.receipt.ended_reason as ReturnReason] ?? 'not paid').toLowerCase(),
  due: facts.units.map(({ unitNumber, balance }) => ({ unitNumber, cents: balance })),
  noChecks: facts.receipt.method === 'check',
})
