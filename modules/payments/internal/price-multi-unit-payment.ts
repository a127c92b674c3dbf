/** Prices one payment for several units of a tenant: each unit under the payment's terms, and one card fee. */

import type { Selectable } from 'kysely'
import { format } from '../../../domain/money.ts'
import { formatUs, formatUsDay } from '../../../domain/plain-date.ts'
import { taxOn } from '../../../domain/sales-tax.ts'
import { taxOnFees } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { cardProcessingFee, invalidLeaseSession } from '../../../domain/texts/payment.ts'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { cardFeeFor } from '../../pricing/card-fee-of-lease-payment.ts'
import type { CheckoutPrice, LeasePart, LeaseTerms, PaymentMethod } from '../rules/checkout-terms.ts'
import { unitNamed } from '../texts/several-units.ts'
import { type PricedLease, priceLease } from './price-lease-payment.ts'

/** Maximum number of units in one payment, since all their leases are locked together. */
export const MAX_UNITS = 100

type Lease = Selectable<LeasesTable>

export interface PricedUnits {
  /** The units that can be paid, sorted by lease number; `cents` is a unit's price without the card fee. */
  units: LeasePart[]
  price: Record<PaymentMethod, CheckoutPrice>
  periods: number
  /** Next autopay charge of each payable unit. */
  next: { unitNumber: string; next: PricedLease['next'] }[]
  /** Sentence that says why not all of the requested units can be paid; null where all can. */
  refused: string | null
}

interface PricedUnit {
  lease: Lease
  priced: PricedLease
}

/** Prices a payment for several leases of a tenant; leases that cannot be paid are left out. */
export async function priceUnits(
  services: Services,
  facts: FacilityFacts,
  request: Omit<LeaseTerms, 'payer'> & { tenantId: number; leaseNumbers: readonly number[] },
): Promise<PricedUnits> {
  const numbers = [...new Set(request.leaseNumbers)]
  const terms: LeaseTerms = { payer: 'units', pays: request.pays, periods: request.periods, autopay: request.autopay }
  const leases = await services.db.read
    .selectFrom('leases')
    .selectAll()
    .where(isTenant({ location_code: facts.location.location_code, tenant_id: request.tenantId }))
    .where('lease_number', 'in', numbers)
    .orderBy('lease_number')
    .execute()
  const payable: PricedUnit[] = []
  let refused = leases.length < numbers.length ? invalidLeaseSession : null
  for (const lease of leases) {
    const priced = await priceLease(services, facts, lease, terms)
    if (!('message' in priced)) payable.push({ lease, priced })
    else refused ??= `${unitNamed(lease.unit_number)}: ${priced.message}`
  }
  const price = (method: PaymentMethod) => priceOf(facts, payable, request, method)
  return {
    units: payable.map(partOf),
    price: { CC: price('CC'), ACH: price('ACH') },
    periods: payable[0]?.priced.periods ?? 1,
    next: payable.map(({ lease, priced }) => ({ unitNumber: lease.unit_number, next: priced.next })),
    refused,
  }
}

function partOf({ lease, priced }: PricedUnit): LeasePart {
  const { lines, total, period } = priced.price.CC
  const part = {
    leaseNumber: lease.lease_number,
    unitNumber: lease.unit_number,
    unitId: lease.unit_id,
    cents: total,
  }
  if (!period) return part
  const datedLines = lines.map(({ label, cents }, index) => ({
    label: index === 0 ? `${label}, ${formatUs(period.from)} to ${formatUs(period.to)}` : label,
    cents,
  }))
  return { ...part, ahead: { period, cents: total, lines: datedLines } }
}

/**
 * Explains a unit's amount in the price of a payment for several units: its prepaid charges, or what autopay will
 * charge and when; '' for dues.
 */
function explanationOf({ priced: { next } }: PricedUnit, { ahead }: LeasePart, pays: LeaseTerms['pays']): string {
  if (ahead) return `${ahead.lines.map(({ label, cents }) => `${label}: ${format(cents)}`).join('; ')}.`
  return pays === 'autopay' ? `Autopay charges ${format(next.cents)} on ${formatUsDay(next.on)}.` : ''
}

function priceOf(
  facts: FacilityFacts,
  units: readonly PricedUnit[],
  { pays, autopay }: Pick<LeaseTerms, 'pays' | 'autopay'>,
  method: PaymentMethod,
): CheckoutPrice {
  const lines = units.map((unit) => {
    const part = partOf(unit)
    return { label: unitNamed(part.unitNumber), explain: explanationOf(unit, part, pays), cents: part.cents }
  })
  const leases = units.map(({ lease }) => lease)
  const cardFee = pays === 'autopay' || autopay ? null : cardFeeOf(facts, leases, method)
  if (cardFee) {
    const explain = 'Once for this card payment, since one of the units is not on autopay.'
    lines.push({ label: cardProcessingFee, explain, cents: cardFee.amount })
    const { tax = 0 } = cardFee
    if (tax > 0) lines.push({ label: taxOnFees, explain: 'On the card fee.', cents: tax })
  }
  return { lines, total: lines.reduce((sum, { cents }) => sum + cents, 0), cardFee, ahead: 0, period: null }
}

/** Returns the card fee of one card payment: the highest of any of its units, once; null without a fee. */
function cardFeeOf(facts: FacilityFacts, leases: readonly Lease[], method: PaymentMethod): CheckoutPrice['cardFee'] {
  let highest: CheckoutPrice['cardFee'] = null
  for (const lease of leases) {
    const fee = cardFeeFor(facts, lease, { autopay: false, method })
    if (!fee || fee.amount <= (highest?.amount ?? 0)) continue
    const tax = taxOn(fee.amount, facts.location.fee_tax_rate)
    highest = { feeId: fee.feeId, amount: fee.amount, tax, leaseNumber: lease.lease_number }
  }
  return highest
}

/** Returns each lease's part of the payment: its price, plus the card fee and tax for the lease that bears the fee. */
export const partsWithCardFee = (
  units: readonly LeasePart[],
  { cardFee }: Pick<CheckoutPrice, 'cardFee'>,
): LeasePart[] =>
  units.map((unit) =>
    cardFee?.leaseNumber === unit.leaseNumber
      ? { ...unit, cents: unit.cents + cardFee.amount + (cardFee.tax ?? 0) }
      : unit,
  )
