/** Prices what a tenant or guest payer agrees to before a payment. Callers check who may pay for the lease. */

import { format } from '../../domain/money.ts'
import { parseJson, writtenByUs } from '../../domain/parse-json.ts'
import { formatUs, formatUsDay } from '../../domain/plain-date.ts'
import { PREPAY_PERIODS_DEFAULT } from '../../domain/prepaid-period-limits.ts'
import { invalidLeaseSession, paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { rowId } from '../../platform/database/row-id.ts'
import { isLease } from '../../platform/database/tenant-and-lease-conditions.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { QuotesTable } from '../../platform/schema/tables.ts'
import { facilityFacts } from '../facilities/facility-price-facts.ts'
import { noLeaseFound } from '../leases/texts/portal.ts'
import { insertQuote, type PriceChange } from '../pricing/quotes.ts'
import { QUOTE_MS } from '../pricing/rules/quote-duration.ts'
import { autopayConsentText, type LeaseTerms, nextChargeText, type PricedLease, priceLease } from './lease-price.ts'
import { MAX_UNITS, priceUnits } from './multi-unit-payment.ts'
import type { CheckoutPrice, PaymentMethod } from './payment.ts'
import type { PaymentSubject } from './payment-orders.ts'
import type { LeasePart } from './payment-shares.ts'
import { unitNamed, unitsNamed } from './texts/several-units.ts'

export interface CheckoutTerms extends LeaseTerms {
  /** Sign-in of a guest payer (`GuestCaller.signIn`); undefined for others. */
  guest?: string | undefined
  locationCode: string
  tenantId: number
  /** Lease to pay; for payer `units`, the first of `leaseNumbers`. */
  leaseNumber: number
  leaseNumbers?: readonly number[]
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
  /** Whether this checkout bears the card fee that the location charges without autopay. */
  cardFeeApplies: boolean
  expiresAt: number
}

export type StartCheckoutResult = { ok: true; checkoutId: string; checkout: Checkout } | { ok: false; message: string }

export const checkoutSubject = ({
  locationCode,
  leaseNumber,
  leaseNumbers,
}: Pick<CheckoutTerms, 'locationCode' | 'leaseNumber' | 'leaseNumbers'>): PaymentSubject => ({
  locationCode,
  leaseNumbers: leaseNumbers ?? [leaseNumber],
})

interface Priced {
  /** What autopay charges each unit next. */
  next: { unitNumber: string; next: PricedLease['next'] }[]
  made: Omit<Checkout, 'checkoutId' | 'expiresAt'>
}

/**
 * Prices a payment for several units.
 * @param which 'all' refuses the checkout if one unit cannot be paid; 'left' leaves that unit out
 */
async function pricedUnits(
  services: Services,
  terms: CheckoutTerms,
  which: 'all' | 'left',
): Promise<Priced | { message: string }> {
  const { locationCode, tenantId, leaseNumbers = [], pays, autopay } = terms
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  if (!facts || leaseNumbers.length === 0 || leaseNumbers.length > MAX_UNITS) return { message: invalidLeaseSession }
  const { units, price, periods, next, refused } = await priceUnits(services, facts, { ...terms, leaseNumbers })
  const [first] = units
  if (refused !== null && (which === 'all' || !first)) return { message: refused }
  if (!first) return { message: paymentAlreadyProcessed }
  const made: Priced['made'] = {
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
  return { next, made }
}

/**
 * Prices checkout terms.
 * @returns the specified sentence where they cannot be paid online (spec 2 §5 "Guest restrictions", §8)
 */
async function priced(
  services: Services,
  terms: CheckoutTerms,
  which: 'all' | 'left' = 'all',
): Promise<Priced | { message: string }> {
  const { locationCode, tenantId, leaseNumber } = terms
  if (terms.payer === 'units') return pricedUnits(services, terms, which)
  const { read } = services.db
  const lease = await read
    .selectFrom('leases')
    .selectAll()
    .where(isLease({ location_code: locationCode, lease_number: leaseNumber }))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const facts = (await facilityFacts(services, [locationCode])).get(locationCode)
  if (!lease || !facts) return { message: invalidLeaseSession }
  const price = await priceLease(services, facts, lease, terms)
  if ('message' in price) return price
  const next = [{ unitNumber: lease.unit_number, next: price.next }]
  return {
    next,
    made: {
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

function asShown(services: Services, { made }: Priced): { checkout: Checkout; quote: QuotesTable } {
  const now = services.clock.now()
  const checkout: Checkout = { ...made, checkoutId: rowId(services), expiresAt: now + QUOTE_MS }
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

async function store(services: Services, priced: Priced): Promise<Checkout> {
  const { checkout, quote } = asShown(services, priced)
  // The order's own transaction also flushes this row; until then a power cut loses only a click.
  await services.db.withoutFsync((db) => insertQuote(db, quote))
  return checkout
}

export async function startCheckout(services: Services, terms: CheckoutTerms): Promise<StartCheckoutResult> {
  const made = await priced(services, terms)
  if ('message' in made) return { ok: false, message: made.message }
  const checkout = await store(services, made)
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
  const made = await priced(services, terms)
  return 'message' in made ? { ok: false, message: made.message } : { ok: true, ...asShown(services, made) }
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
  let begun = await begin(services, { ...terms, pays: periods === undefined ? 'dues' : 'prepay' })
  if (!begun.ok && periods === undefined && begun.message === paymentAlreadyProcessed)
    begun = await begin(services, { ...terms, pays: 'prepay' })
  if (begun.ok) return begun
  return begun.message === invalidLeaseSession
    ? refuse(404, 'lease_not_found', noLeaseFound)
    : refuse(409, 'not_payable', begun.message)
}

/** Loads a checkout as it was shown; null where none has this id. Compare its terms with the caller before use. */
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
  const made = await priced(services, shown, 'left')
  if ('message' in made) return { ok: false, why: 'blocked', message: made.message }
  const changes = changesBetween(shown.price[method], made.made.price[method])
  if (changes.length === 0) changes.push(...movedPeriods(shown, made.made, method))
  // The next autopay charge is part of the agreement, even if today's amount is unchanged.
  if (changes.length === 0 && shown.autopay && shown.autopayConsent !== made.made.autopayConsent) {
    const moved = made.next.filter((one) => !shown.autopayConsent.includes(nextChargeText(one)))
    for (const { unitNumber, next } of moved.length > 0 ? moved : made.next) {
      const charges = `Autopay charges ${format(next.cents)} on ${formatUsDay(next.on)}`
      changes.push({
        label: made.made.units ? `${unitNamed(unitNumber)}: ${charges}` : charges,
        before: null,
        now: null,
      })
    }
  }
  if (changes.length === 0 && shown.expiresAt > services.clock.now()) {
    return { ok: true, checkout: shown, price: shown.price[method] }
  }
  return { ok: false, why: 'price_changed', changes, now: await store(services, made) }
}

function changesBetween(before: CheckoutPrice, now: CheckoutPrice): PriceChange[] {
  const labels = new Set([...before.lines, ...now.lines].map((line) => line.label))
  const of = (price: CheckoutPrice, label: string) => {
    const lines = price.lines.filter((line) => line.label === label)
    return lines.length === 0 ? null : lines.reduce((sum, line) => sum + line.cents, 0)
  }
  const changes: PriceChange[] = []
  for (const label of labels) {
    const [was, is] = [of(before, label), of(now, label)]
    if (was !== is) changes.push({ label, before: was, now: is })
  }
  return changes
}

type Paid = Pick<Checkout, 'units' | 'price'>

/**
 * Returns the changes of a checkout's price where an equal amount now pays for other periods, for each unit if there
 * are several.
 */
function movedPeriods(before: Paid, now: Paid, method: PaymentMethod): PriceChange[] {
  const paid = ({ units, price }: Paid) =>
    units?.map(({ unitNumber, ahead }) => ({
      says: `${unitNamed(unitNumber)}: it pays`,
      period: ahead?.period ?? null,
    })) ?? [{ says: 'It pays', period: price[method].period }]
  const was = paid(before)
  return paid(now).flatMap(({ says, period }, at) =>
    period && period.from !== was[at]?.period?.from
      ? [{ label: `${says} for ${formatUs(period.from)} to ${formatUs(period.to)}`, before: null, now: null }]
      : [],
  )
}
