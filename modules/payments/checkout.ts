/** Prices what a tenant or guest payer agrees to before a payment. Callers check who may pay for the lease. */

import type { Selectable } from 'kysely'
import { type Cents, format } from '../../domain/money.ts'
import { parseJson, writtenByUs } from '../../domain/parse-json.ts'
import { formatPhone } from '../../domain/phone.ts'
import { addDays, formatUs, formatUsDay, type IsoDate } from '../../domain/plain-date.ts'
import { PREPAY_PERIODS_DEFAULT, PREPAY_PERIODS_MAX } from '../../domain/prepaid-periods.ts'
import { taxOn } from '../../domain/sales-tax.ts'
import {
  cardProcessingFee,
  duesFirst,
  invalidLeaseSession,
  movingOut,
  paymentAlreadyProcessed,
} from '../../domain/texts/payment.ts'
import { isLease } from '../../platform/database/record-keys.ts'
import { rowId } from '../../platform/database/row-id.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable, QuotesTable } from '../../platform/schema/tables.ts'
import { nextDue, periodPrices } from '../billing/rules/next-due.ts'
import { type FacilityFacts, facilityFacts } from '../facilities/facility-facts.ts'
import { phoneFor } from '../facilities/phone.ts'
import { loadLeaseFees } from '../leases/lease-fees.ts'
import { currentBalanceDue, noLeaseFound } from '../leases/texts/portal.ts'
import { loadAmountDue } from '../ledger/amount-due.ts'
import { loadChargedThrough } from '../ledger/ledger-totals.ts'
import { nextPeriodInput, quotePrepay } from '../ledger/prepay-inputs.ts'
import { cardFeeFor } from '../pricing/facility-card-fee.ts'
import { insertQuote, type PriceChange } from '../pricing/quotes.ts'
import { QUOTE_MS } from '../pricing/rules/quote-duration.ts'
import { MAX_UNITS, priceUnits } from './multi-unit-payment.ts'
import type { CheckoutPrice, PaymentMethod } from './payment.ts'
import type { PaymentSubject } from './payment-orders.ts'
import type { LeasePart } from './payment-shares.ts'
import { paymentBlock, paymentBlockText } from './rules/online-payment-blocks.ts'
import { unitsNamed } from './texts/several-units.ts'

type Lease = Selectable<LeasesTable>

export interface CheckoutTerms {
  payer: 'tenant' | 'guest' | 'units'
  /** Sign-in of a guest payer (`GuestCaller.signIn`); undefined for others. */
  guest?: string | undefined
  locationCode: string
  tenantId: number
  /** Lease to pay; for payer `units`, the first of `leaseNumbers`. */
  leaseNumber: number
  leaseNumbers?: readonly number[]
  /** Purpose: today's dues, a number of periods ahead, or nothing (`autopay` only saves the card or account). */
  pays: 'dues' | 'prepay' | 'autopay'
  periods: number
  autopay: boolean
}

export interface Checkout extends CheckoutTerms {
  checkoutId: string
  /** Number of the unit; '101, 102' for several. */
  unitNumber: string
  unitId: number
  /** Parts of a payment for several units: what each owes, without the card fee. */
  units?: LeasePart[]
  price: Record<PaymentMethod, CheckoutPrice>
  /** Consent text for autopay, to be shown beside the button that agrees. */
  autopayConsent: string
  allowAch: boolean
  /** Whether the card fee, which the location charges without autopay, is part of this checkout's card price. */
  cardFeeApplies: boolean
  /** Epoch milliseconds. */
  expiresAt: number
}

export type StartCheckoutResult = { ok: true; checkoutId: string; checkout: Checkout } | { ok: false; message: string }

/** Returns the leases that a checkout pays for. */
export const checkoutSubject = ({
  locationCode,
  leaseNumber,
  leaseNumbers,
}: Pick<CheckoutTerms, 'locationCode' | 'leaseNumber' | 'leaseNumbers'>): PaymentSubject => ({
  locationCode,
  leaseNumbers: leaseNumbers ?? [leaseNumber],
})

interface PricedCheckout {
  /** Next autopay charge, cents; null for several units. */
  next: { on: IsoDate; cents: Cents } | null
  checkout: Omit<Checkout, 'checkoutId' | 'expiresAt'>
}

/** Returns the specified sentence why these terms are refused; null if they are allowed. */
function termsRefusal(terms: CheckoutTerms, lease: Lease, autopay: boolean): string | null {
  const { balance } = lease
  switch (terms.pays) {
    case 'dues':
      return balance <= 0 ? paymentAlreadyProcessed : null
    case 'prepay':
      if (balance > 0) return duesFirst
      if (lease.status === 'Closed') return noLeaseFound
      return lease.scheduled_move_out === null ? null : movingOut
    case 'autopay':
      // Only the tenant of a continuing lease may turn autopay on; dues are paid with it.
      if (terms.payer !== 'tenant' || !autopay || lease.status === 'Closed') return invalidLeaseSession
      return balance > 0 ? duesFirst : null
  }
}

type PricedLease = {
  lease: Lease
  facts: FacilityFacts
  fees: Awaited<ReturnType<typeof loadLeaseFees>>
  pays: CheckoutTerms['pays']
  periods: number
}

/** Returns the price of a lease's checkout by one payment method. */
async function priceLease(
  services: Services,
  { lease, facts, fees, pays, periods }: PricedLease,
  payment: { autopay: boolean; method: PaymentMethod },
): Promise<CheckoutPrice> {
  const fee = cardFeeFor(facts, lease.unit_type_id, payment)
  const cardFee = fee && { ...fee, tax: taxOn(fee.amount, facts.location.fee_tax_rate) }
  if (pays === 'prepay') {
    const quote = quotePrepay(facts, lease, fees, payment, periods)
    const quoteWithoutFee = quotePrepay(facts, lease, fees, { ...payment, autopay: true }, periods)
    return {
      lines: quote.lines.map(({ label, explain, cents }) => ({ label, explain, cents })),
      total: quote.total,
      cardFee,
      ahead: quoteWithoutFee.total,
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
    if (dues.cardFee.tax > 0) lines.push({ label: 'Tax on fees', explain: 'On the card fee.', cents: dues.cardFee.tax })
  }
  return { lines, total: dues.total, cardFee, ahead: 0, period: null }
}

/**
 * Prices the dues of several units.
 * @param scope 'all' refuses the checkout if one unit cannot be paid; 'left' leaves that unit out
 */
async function priceSeveralUnits(
  services: Services,
  { locationCode, tenantId, leaseNumbers = [] }: CheckoutTerms,
  scope: 'all' | 'left',
): Promise<PricedCheckout | { message: string }> {
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  if (!facts || leaseNumbers.length === 0 || leaseNumbers.length > MAX_UNITS) return { message: invalidLeaseSession }
  const { units, price, refused } = await priceUnits(services, facts, { tenantId, leaseNumbers })
  const [first] = units
  if (refused !== null && (scope === 'all' || !first)) return { message: refused }
  if (!first) return { message: paymentAlreadyProcessed }
  const checkout: PricedCheckout['checkout'] = {
    payer: 'units',
    locationCode,
    tenantId,
    pays: 'dues',
    periods: 1,
    autopay: false,
    leaseNumber: first.leaseNumber,
    leaseNumbers: units.map((unit) => unit.leaseNumber),
    unitNumber: unitsNamed(units.map((unit) => unit.unitNumber)),
    unitId: first.unitId,
    units,
    price,
    autopayConsent: '',
    allowAch: facts.location.allow_ach === 1,
    cardFeeApplies: price.CC.cardFee !== null,
  }
  return { next: null, checkout }
}

/**
 * Prices checkout terms.
 * @returns the priced checkout, or the specified sentence if it cannot be paid online (spec 2 §5 "Guest restrictions",
 * §8)
 */
async function priceTerms(
  services: Services,
  terms: CheckoutTerms,
  scope: 'all' | 'left' = 'all',
): Promise<PricedCheckout | { message: string }> {
  const { locationCode, tenantId, leaseNumber, pays } = terms
  if (terms.payer === 'units') return priceSeveralUnits(services, terms, scope)
  const { read } = services.db
  const lease = await read
    .selectFrom('leases')
    .selectAll()
    .where(isLease({ location_code: locationCode, lease_number: leaseNumber }))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  if (!lease || !facts) return { message: invalidLeaseSession }
  const standing = { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through }
  const block = paymentBlock(standing, facts.today)
  if (block) return { message: paymentBlockText(block, formatPhone(await phoneFor(services, facts.location))) }
  // A scheduled move-out prevents autopay; a guest does not replace the card that the tenant chose for it.
  const autopay =
    terms.autopay && lease.scheduled_move_out === null && !(terms.payer === 'guest' && lease.autopay === 1)
  const refused = termsRefusal(terms, lease, autopay)
  if (refused) return { message: refused }
  const fees = await loadLeaseFees(read, locationCode, leaseNumber)
  const requestedPeriods = Math.trunc(terms.periods)
  const periods =
    pays !== 'prepay' || !Number.isFinite(requestedPeriods)
      ? 1
      : Math.min(Math.max(requestedPeriods, 1), PREPAY_PERIODS_MAX)
  // A lease on autopay bears no card fee, even if this payment is made by hand.
  const onAutopay = autopay || lease.autopay !== 0
  const price = (method: PaymentMethod) =>
    priceLease(services, { lease, facts, fees, pays, periods }, { autopay: onAutopay, method })
  const [CC, ACH] = await Promise.all([price('CC'), price('ACH')])
  const nextPeriodStart = addDays(CC.period?.to ?? (await loadChargedThrough(read, lease)), 1)
  const prices = periodPrices({ ...nextPeriodInput(facts, lease, fees, null), periodStart: nextPeriodStart })
  // Paying ahead leaves a credit untouched; it reduces the next autopay charge.
  const next = nextDue(prices, pays === 'dues' ? 0 : lease.balance)
  return {
    next,
    checkout: {
      payer: terms.payer,
      guest: terms.payer === 'guest' ? terms.guest : undefined,
      locationCode,
      tenantId,
      leaseNumber,
      pays,
      periods,
      autopay,
      unitNumber: lease.unit_number,
      unitId: lease.unit_id,
      price: { CC, ACH },
      autopayConsent: `I agree that what is due for unit ${lease.unit_number} is charged automatically every 30 days, next ${format(next.cents)} on ${formatUsDay(next.on)}, until I turn autopay off ${terms.payer === 'guest' ? 'by the link in the e-mail with my receipt' : 'in my account'}.`,
      allowAch: facts.location.allow_ach === 1,
      cardFeeApplies: CC.cardFee !== null,
    },
  }
}

/** Returns the checkout with an id and an end, and the quote row that stores it. */
function withQuote(
  services: Services,
  { checkout: pricedCheckout }: PricedCheckout,
): { checkout: Checkout; quote: QuotesTable } {
  const now = services.clock.now()
  const checkout: Checkout = { ...pricedCheckout, checkoutId: rowId(services), expiresAt: now + QUOTE_MS }
  const quote = {
    quote_id: checkout.checkoutId,
    location_code: checkout.locationCode,
    draft_id: null,
    charges: JSON.stringify({ checkout }),
    total: checkout.price.CC.total,
    created_at: now,
    expires_at: checkout.expiresAt,
  }
  return { checkout, quote }
}

async function storeCheckout(services: Services, pricedCheckout: PricedCheckout): Promise<Checkout> {
  const { checkout, quote } = withQuote(services, pricedCheckout)
  // The order's own transaction also flushes this row; until then a power cut loses only a click.
  await services.db.withoutFsync((db) => insertQuote(db, quote))
  return checkout
}

/** Prices checkout terms and stores the checkout. */
export async function startCheckout(services: Services, terms: CheckoutTerms): Promise<StartCheckoutResult> {
  const pricing = await priceTerms(services, terms)
  if ('message' in pricing) return { ok: false, message: pricing.message }
  const checkout = await storeCheckout(services, pricing)
  return { ok: true, checkoutId: checkout.checkoutId, checkout }
}

/**
 * Prices checkout terms for a caller that pays in the same request: `quote` is stored with the order
 * (`CheckoutSubmission.quote`).
 */
export async function priceCheckout(
  services: Services,
  terms: CheckoutTerms,
): Promise<{ ok: true; checkout: Checkout; quote: QuotesTable } | { ok: false; message: string }> {
  const pricing = await priceTerms(services, terms)
  return 'message' in pricing ? { ok: false, message: pricing.message } : { ok: true, ...withQuote(services, pricing) }
}

/**
 * Begins a checkout for an API caller: the periods it names, or else the dues, or else one period ahead.
 * @param begin starts or prices the checkout
 */
export async function beginDuesOrPrepay<Begun extends { ok: true }>(
  services: Services,
  begin: (services: Services, terms: CheckoutTerms) => Promise<Begun | { ok: false; message: string }>,
  { periods, ...who }: Omit<CheckoutTerms, 'pays' | 'periods'> & { periods: number | undefined },
): Promise<Begun | Refusal> {
  const terms = { ...who, periods: periods ?? PREPAY_PERIODS_DEFAULT }
  let result = await begin(services, { ...terms, pays: periods === undefined ? 'dues' : 'prepay' })
  if (!result.ok && periods === undefined && result.message === paymentAlreadyProcessed)
    result = await begin(services, { ...terms, pays: 'prepay' })
  if (result.ok) return result
  return result.message === invalidLeaseSession
    ? refuse(404, 'lease_not_found', noLeaseFound)
    : refuse(409, 'not_payable', result.message)
}

/** Loads a checkout as it was shown; null if the id is unknown. Compare its terms with the caller before use. */
export async function loadCheckout(services: Services, checkoutId: string | undefined): Promise<Checkout | null> {
  if (!checkoutId) return null
  const row = await services.db.read
    .selectFrom('quotes')
    .select('charges')
    .where('quote_id', '=', checkoutId)
    .where('draft_id', 'is', null)
    .executeTakeFirst()
  return row ? (parseJson(row.charges, writtenByUs<{ checkout?: Checkout }>()).checkout ?? null) : null
}

export type CheckoutConsent =
  | { ok: true; checkout: Checkout; price: CheckoutPrice }
  /** The checkout cannot be paid any more; `message` says why. */
  | { ok: false; why: 'blocked'; message: string }
  /** The price changed or the checkout expired: `now` is to be agreed to instead. */
  | { ok: false; why: 'price_changed'; changes: PriceChange[]; now: Checkout }

/**
 * Checks a payer's consent to a checkout with this payment method. Consent holds while the price is the same, line by
 * line.
 */
export async function consentToCheckout(
  services: Services,
  shown: Checkout,
  method: PaymentMethod,
): Promise<CheckoutConsent> {
  const pricing = await priceTerms(services, shown, 'left')
  if ('message' in pricing) return { ok: false, why: 'blocked', message: pricing.message }
  const changes = changesBetween(shown.price[method], pricing.checkout.price[method])
  // The next autopay charge is part of the agreement, even if today's amount is unchanged.
  if (
    changes.length === 0 &&
    shown.autopay &&
    shown.autopayConsent !== pricing.checkout.autopayConsent &&
    pricing.next
  ) {
    const { cents, on } = pricing.next
    changes.push({ label: `Autopay charges ${format(cents)} on ${formatUsDay(on)}`, before: null, now: null })
  }
  if (changes.length === 0 && shown.expiresAt > services.clock.now()) {
    return { ok: true, checkout: shown, price: shown.price[method] }
  }
  return { ok: false, why: 'price_changed', changes, now: await storeCheckout(services, pricing) }
}

/** Returns the price lines that differ, in cents, and the period if only that differs. */
function changesBetween(before: CheckoutPrice, now: CheckoutPrice): PriceChange[] {
  const labels = new Set([...before.lines, ...now.lines].map((line) => line.label))
  const sumOf = (price: CheckoutPrice, label: string) => {
    const lines = price.lines.filter((line) => line.label === label)
    return lines.length === 0 ? null : lines.reduce((sum, line) => sum + line.cents, 0)
  }
  const changes: PriceChange[] = []
  for (const label of labels) {
    const [previousCents, currentCents] = [sumOf(before, label), sumOf(now, label)]
    if (previousCents !== currentCents) changes.push({ label, before: previousCents, now: currentCents })
  }
  if (changes.length === 0 && now.period && before.period?.from !== now.period.from) {
    const { from, to } = now.period
    changes.push({ label: `It pays for ${formatUs(from)} to ${formatUs(to)}`, before: null, now: null })
  }
  return changes
}
