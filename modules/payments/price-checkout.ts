/** Prices the checkout of a tenant or guest payer, and checks the payer's consent. Callers check who may pay for the lease. */

import { format } from '../../domain/money.ts'
import { formatUs, formatUsDay } from '../../domain/plain-date.ts'
import { PREPAY_PERIODS_DEFAULT } from '../../domain/prepaid-period-limits.ts'
import { invalidLeaseSession, paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { rowId } from '../../platform/database/generate-row-id.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { QuotesTable } from '../../platform/schema/tables.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { noLeaseFound } from '../leases/texts/portal.ts'
import type { PriceChange } from '../pricing/rules/changed-price-of-quote-type.ts'
import { QUOTE_MS } from '../pricing/rules/quote-duration.ts'
import { insertQuote } from '../pricing/stored-quotes.ts'
import { autopayConsentText, nextChargeText, type PricedLease, priceLease } from './internal/price-lease-payment.ts'
import { MAX_UNITS, priceUnits } from './internal/price-multi-unit-payment.ts'
import type { PaymentSubject } from './payment-orders.ts'
import type { Checkout, CheckoutPrice, CheckoutTerms, PaymentMethod } from './rules/checkout-terms.ts'
import { unitNamed, unitsNamed } from './texts/several-units.ts'

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

interface Priced {
  /** Next autopay charge of each unit. */
  next: { unitNumber: string; next: PricedLease['next'] }[]
  checkout: Omit<Checkout, 'checkoutId' | 'expiresAt'>
}

/**
 * Prices a payment for several units.
 * @param which 'all' refuses the checkout if one unit cannot be paid; 'left' leaves that unit out
 */
async function priceSeveralUnits(
  services: Services,
  terms: CheckoutTerms,
  which: 'all' | 'left',
): Promise<Priced | { message: string }> {
  const { locationCode, tenantId, leaseNumbers = [], pays, autopay } = terms
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  if (!facts || leaseNumbers.length === 0 || leaseNumbers.length > MAX_UNITS) return { message: invalidLeaseSession }
  const { units, price, periods, next, refused } = await priceUnits(services, facts, { ...terms, leaseNumbers })
  const [first] = units
  if (!first || (refused !== null && which === 'all')) return { message: refused ?? invalidLeaseSession }
  const checkout: Priced['checkout'] = {
    payer: 'units',
    locationCode,
    tenantId,
    pays,
    periods,
    autopay,
    leaseNumber: first.leaseNumber,
    leaseNumbers: units.map((unit) => unit.leaseNumber),
    unitNumber: unitsNamed(units.map((unit) => unit.unitNumber)),
    unitId: first.unitId,
    units,
    price,
    autopayConsent: autopay ? autopayConsentText(next, 'units') : '',
    allowAch: facts.location.allow_ach === 1,
    cardFeeApplies: price.CC.cardFee !== null,
  }
  return { next, checkout }
}

/**
 * Prices checkout terms.
 * @returns the priced checkout; in `message` the specified sentence if it cannot be paid online (spec 2 §5 "Guest
 *   restrictions", §8)
 */
async function priceTerms(
  services: Services,
  terms: CheckoutTerms,
  which: 'all' | 'left' = 'all',
): Promise<Priced | { message: string }> {
  const { locationCode, tenantId, leaseNumber } = terms
  if (terms.payer === 'units') return priceSeveralUnits(services, terms, which)
  const { read } = services.db
  const lease = await read
    .selectFrom('leases')
    .selectAll()
    .where(isLease({ location_code: locationCode, lease_number: leaseNumber }))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const facts = (await loadFacilityFacts(services, [locationCode])).get(locationCode)
  if (!lease || !facts) return { message: invalidLeaseSession }
  const price = await priceLease(services, facts, lease, terms)
  if ('message' in price) return price
  const next = [{ unitNumber: lease.unit_number, next: price.next }]
  return {
    next,
    checkout: {
      payer: terms.payer,
      guest: terms.payer === 'guest' ? terms.guest : undefined,
      locationCode,
      tenantId,
      leaseNumber,
      pays: terms.pays,
      periods: price.periods,
      autopay: price.autopay,
      unitNumber: lease.unit_number,
      unitId: lease.unit_id,
      price: price.price,
      autopayConsent: autopayConsentText(next, terms.payer),
      allowAch: facts.location.allow_ach === 1,
      cardFeeApplies: price.price.CC.cardFee !== null,
    },
  }
}

function toCheckoutAndQuote(services: Services, priced: Priced): { checkout: Checkout; quote: QuotesTable } {
  const now = services.clock.now()
  const checkout: Checkout = { ...priced.checkout, checkoutId: rowId(services), expiresAt: now + QUOTE_MS }
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

async function storeCheckout(services: Services, priced: Priced): Promise<Checkout> {
  const { checkout, quote } = toCheckoutAndQuote(services, priced)
  // The order's own transaction also flushes this row; until then a power cut loses only the payer's click.
  await services.db.withoutFsync((db) => insertQuote(db, quote))
  return checkout
}

/** Prices checkout terms and stores the checkout, to which the payer can then agree. */
export async function startCheckout(services: Services, terms: CheckoutTerms): Promise<StartCheckoutResult> {
  const priced = await priceTerms(services, terms)
  if ('message' in priced) return { ok: false, message: priced.message }
  const checkout = await storeCheckout(services, priced)
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
  const priced = await priceTerms(services, terms)
  return 'message' in priced
    ? { ok: false, message: priced.message }
    : { ok: true, ...toCheckoutAndQuote(services, priced) }
}

/**
 * Begins a checkout for an API caller: for the requested periods, or without them for the dues, or for one period ahead
 * if nothing is due.
 * @param begin starts or prices the checkout
 */
export async function beginDuesOrPrepay<Begun extends { ok: true }>(
  services: Services,
  begin: (services: Services, terms: CheckoutTerms) => Promise<Begun | { ok: false; message: string }>,
  { periods, ...otherTerms }: Omit<CheckoutTerms, 'pays' | 'periods'> & { periods: number | undefined },
): Promise<Begun | Refusal> {
  const terms = { ...otherTerms, periods: periods ?? PREPAY_PERIODS_DEFAULT }
  let begun = await begin(services, { ...terms, pays: periods === undefined ? 'dues' : 'prepay' })
  if (!begun.ok && periods === undefined && begun.message === paymentAlreadyProcessed)
    begun = await begin(services, { ...terms, pays: 'prepay' })
  if (begun.ok) return begun
  return begun.message === invalidLeaseSession
    ? refuse(404, 'lease_not_found', noLeaseFound)
    : refuse(409, 'not_payable', begun.message)
}

export type CheckoutConsent =
  | { ok: true; checkout: Checkout; price: CheckoutPrice }
  /** The checkout cannot be paid any more; `message` says why. */
  | { ok: false; why: 'blocked'; message: string }
  /** The price changed or the checkout expired: `now` is to be agreed to instead. */
  | { ok: false; why: 'price_changed'; changes: PriceChange[]; now: Checkout }

/**
 * Checks a payer's consent to a checkout with this payment method. Consent holds until the checkout expires, while the
 * price lines, the prepaid periods and the text of the consent to autopay are the same.
 * @param agreed the checkout as the payer saw it
 */
export async function consentToCheckout(
  services: Services,
  agreed: Checkout,
  method: PaymentMethod,
): Promise<CheckoutConsent> {
  const priced = await priceTerms(services, agreed, 'left')
  if ('message' in priced) return { ok: false, why: 'blocked', message: priced.message }
  const current = priced.checkout
  const changes = changesBetween(agreed.price[method], current.price[method])
  if (changes.length === 0) changes.push(...changedPeriods(agreed, current, method))
  // The next autopay charge is part of the agreement, even if today's amount is unchanged.
  if (changes.length === 0 && agreed.autopay && agreed.autopayConsent !== current.autopayConsent) {
    const changed = priced.next.filter((charge) => !agreed.autopayConsent.includes(nextChargeText(charge)))
    for (const { unitNumber, next } of changed.length > 0 ? changed : priced.next) {
      const charges = `Autopay charges ${format(next.cents)} on ${formatUsDay(next.on)}`
      changes.push({
        label: current.units ? `${unitNamed(unitNumber)}: ${charges}` : charges,
        before: null,
        now: null,
      })
    }
  }
  if (changes.length === 0 && agreed.expiresAt > services.clock.now()) {
    return { ok: true, checkout: agreed, price: agreed.price[method] }
  }
  return { ok: false, why: 'price_changed', changes, now: await storeCheckout(services, priced) }
}

function changesBetween(before: CheckoutPrice, now: CheckoutPrice): PriceChange[] {
  const labels = new Set([...before.lines, ...now.lines].map((line) => line.label))
  const centsOf = (price: CheckoutPrice, label: string) => {
    const lines = price.lines.filter((line) => line.label === label)
    return lines.length === 0 ? null : lines.reduce((sum, line) => sum + line.cents, 0)
  }
  const changes: PriceChange[] = []
  for (const label of labels) {
    const centsBefore = centsOf(before, label)
    const centsNow = centsOf(now, label)
    if (centsBefore !== centsNow) changes.push({ label, before: centsBefore, now: centsNow })
  }
  return changes
}

type PaidPeriods = Pick<Checkout, 'units' | 'price'>

/**
 * Returns the changes of a checkout's price where an equal amount now pays for other periods, for each unit if there
 * are several.
 */
function changedPeriods(before: PaidPeriods, now: PaidPeriods, method: PaymentMethod): PriceChange[] {
  const periodsOf = ({ units, price }: PaidPeriods) =>
    units?.map(({ unitNumber, ahead }) => ({
      subject: `${unitNamed(unitNumber)}: it pays`,
      period: ahead?.period ?? null,
    })) ?? [{ subject: 'It pays', period: price[method].period }]
  const periodsBefore = periodsOf(before)
  return periodsOf(now).flatMap(({ subject, period }, index) =>
    period && period.from !== periodsBefore[index]?.period?.from
      ? [{ label: `${subject} for ${formatUs(period.from)} to ${formatUs(period.to)}`, before: null, now: null }]
      : [],
  )
}
