/**
 * Prices a payment for one lease, or returns the sentence that says why its terms are refused. Also writes the text of a
 * consent to autopay.
 */

import type { Selectable } from 'kysely'
import { type Cents, format } from '../../../domain/money.ts'
import { formatPhone } from '../../../domain/phone.ts'
import { addDays, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { PREPAY_PERIODS_MAX } from '../../../domain/prepaid-period-limits.ts'
import { taxOn } from '../../../domain/sales-tax.ts'
import { taxOnFees } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import {
  cardProcessingFee,
  duesFirst,
  invalidLeaseSession,
  movingOut,
  paymentAlreadyProcessed,
} from '../../../domain/texts/payment.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import { nextAmountDue, periodPrices } from '../../billing/rules/next-amount-due.ts'
import { loadSupportPhoneDigits } from '../../facilities/choose-support-phone.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadLeaseFees } from '../../leases/load-and-add-recurring-lease-fees.ts'
import { currentBalanceDue, noLeaseFound } from '../../leases/texts/portal.ts'
import { loadAmountDue } from '../../ledger/amount-due.ts'
import { loadChargedThrough } from '../../ledger/lease-ledger-totals.ts'
import { nextPeriodInput, quotePrepay } from '../../ledger/quote-prepay.ts'
import { cardFeeFor } from '../../pricing/card-fee-of-lease-payment.ts'
import type { CheckoutPrice, LeaseTerms, PaymentMethod } from '../rules/checkout-terms.ts'
import { isAutopayDropped } from '../rules/dropped-autopay-request.ts'
import { paymentBlock, paymentBlockText } from '../rules/online-payment-blocks.ts'
import { autopayOnAlready } from '../texts/several-units.ts'

type Lease = Selectable<LeasesTable>

export interface PricedLease {
  /** Whether the payment turns autopay on; false with a move-out scheduled, or for a guest if autopay is on already. */
  autopay: boolean
  periods: number
  price: Record<PaymentMethod, CheckoutPrice>
  /** Day and amount in cents of the next autopay charge. */
  next: { on: IsoDate; cents: Cents }
}

/**
 * Prices one lease under the terms of a payment.
 * @returns the price; in `message` a sentence that says why, if the lease cannot be paid online under these terms (spec 2
 *   §5 "Guest restrictions", §8)
 */
export async function priceLease(
  services: Services,
  facts: FacilityFacts,
  lease: Lease,
  terms: LeaseTerms,
): Promise<PricedLease | { message: string }> {
  const standing = { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through }
  const block = paymentBlock(standing, facts.today)
  if (block)
    return { message: paymentBlockText(block, formatPhone(await loadSupportPhoneDigits(services, facts.location))) }
  const autopay = terms.autopay && !isAutopayDropped(terms.payer, lease)
  const refusal = autopayRefusal(terms, lease) ?? termsRefusal(terms, lease, autopay)
  if (refusal) return { message: refusal }
  const { read } = services.db
  const { pays } = terms
  const fees = await loadLeaseFees(read, lease.location_code, lease.lease_number)
  const requested = Math.trunc(terms.periods)
  const periods =
    pays !== 'prepay' || !Number.isFinite(requested) ? 1 : Math.min(Math.max(requested, 1), PREPAY_PERIODS_MAX)
  // Several units bear one card fee together (`priceUnits`).
  const bearsNoFee = autopay || terms.payer === 'units'
  const price = (method: PaymentMethod) =>
    loadPrice(services, { lease, facts, fees, pays, periods }, { autopay: bearsNoFee, method })
  const [CC, ACH] = await Promise.all([price('CC'), price('ACH')])
  const start = addDays(CC.period?.to ?? (await loadChargedThrough(read, lease)), 1)
  const prices = periodPrices({ ...nextPeriodInput(facts, lease, fees), periodStart: start })
  // A payment other than of dues leaves a credit on the lease untouched, so the credit reduces the next autopay charge.
  const next = nextAmountDue(prices, pays === 'dues' ? 0 : lease.balance)
  return { autopay, periods, price: { CC, ACH }, next }
}

/** Returns the sentence that refuses these payment terms for the lease; null where they are allowed. */
function termsRefusal(terms: LeaseTerms, lease: Lease, autopay: boolean): string | null {
  const { balance } = lease
  switch (terms.pays) {
    case 'dues':
      return balance <= 0 ? paymentAlreadyProcessed : null
    case 'prepay':
      if (balance > 0) return duesFirst
      if (lease.status === 'Closed') return noLeaseFound
      return lease.scheduled_move_out === null ? null : movingOut
    case 'autopay':
      // Only the tenant may turn autopay on without a payment, and only for a continuing lease without dues.
      if (terms.payer === 'guest' || !autopay || lease.status === 'Closed') return invalidLeaseSession
      return balance > 0 ? duesFirst : null
  }
}

/**
 * Returns why autopay cannot be turned on for a lease of a payment for several units; null if it can or is not
 * requested, and for other payers.
 */
function autopayRefusal({ payer, autopay }: LeaseTerms, lease: Lease): string | null {
  if (payer !== 'units' || !autopay) return null
  if (lease.autopay !== 0) return autopayOnAlready
  return lease.scheduled_move_out === null ? null : movingOut
}

interface LeaseToPrice {
  lease: Lease
  facts: FacilityFacts
  fees: Awaited<ReturnType<typeof loadLeaseFees>>
  pays: LeaseTerms['pays']
  periods: number
}

async function loadPrice(
  services: Services,
  { lease, facts, fees, pays, periods }: LeaseToPrice,
  payment: { autopay: boolean; method: PaymentMethod },
): Promise<CheckoutPrice> {
  const fee = cardFeeFor(facts, lease, payment)
  const cardFee = fee && { ...fee, tax: taxOn(fee.amount, facts.location.fee_tax_rate) }
  if (pays === 'prepay') {
    const quote = quotePrepay(facts, lease, fees, payment, periods)
    const withoutFee = quotePrepay(facts, lease, fees, { ...payment, autopay: true }, periods)
    return {
      lines: quote.lines.map(({ label, explain, cents }) => ({ label, explain, cents })),
      total: quote.total,
      cardFee,
      ahead: withoutFee.total,
      period: { from: quote.periodStart, to: quote.periodEnd },
    }
  }
  if (pays === 'autopay') {
    const explain = 'Autopay begins with what comes due next.'
    return { lines: [{ label: 'Today', explain, cents: 0 }], total: 0, cardFee: null, ahead: 0, period: null }
  }
  const dues = await loadAmountDue(services, facts, lease, payment)
  const lines: CheckoutPrice['lines'] = [
    { label: currentBalanceDue, explain: `Unit ${lease.unit_number}, as of today.`, cents: dues.balance },
  ]
  if (dues.cardFee) {
    const explain = 'For each card payment made without autopay.'
    lines.push({ label: cardProcessingFee, explain, cents: dues.cardFee.amount })
    if (dues.cardFee.tax > 0) lines.push({ label: taxOnFees, explain: 'On the card fee.', cents: dues.cardFee.tax })
  }
  return { lines, total: dues.total, cardFee, ahead: 0, period: null }
}

interface NextCharge {
  unitNumber: string
  next: PricedLease['next']
}

/** Returns the text of a unit's next autopay charge: 'next $118.00 on Sunday, 12/20/2026'. */
export const nextChargeText = ({ next }: NextCharge): string => `next ${format(next.cents)} on ${formatUsDay(next.on)}`

/** Returns the text of an agreement to autopay for a unit, or for each of several. */
export function autopayConsentText(units: readonly NextCharge[], payer: LeaseTerms['payer']): string {
  const untilOff = `until I turn autopay off ${payer === 'guest' ? 'by the link in the e-mail with my receipt' : 'in my account'}`
  const [only, ...more] = units
  if (only && more.length === 0)
    return `I agree that what is due for unit ${only.unitNumber} is charged automatically every 30 days, ${nextChargeText(only)}, ${untilOff}.`
  const each = units.map((unit) => `unit ${unit.unitNumber}, ${nextChargeText(unit)}`).join('; ')
  return `I agree that what is due for each of these units is charged automatically every 30 days, ${untilOff}: ${each}.`
}
