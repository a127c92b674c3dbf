/** Prices one payment for several units of a tenant: what each owes today, and one card fee. */
import type { Selectable } from 'kysely'
import { formatPhone } from '../../domain/phone.ts'
import { taxOn } from '../../domain/sales-tax.ts'
import { cardProcessingFee, invalidLeaseSession, paymentAlreadyProcessed } from '../../domain/texts/payment.ts'
import { isTenant } from '../../platform/database/record-keys.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-facts.ts'
import { phoneFor } from '../facilities/phone.ts'
import { cardFeeFor } from '../pricing/facility-card-fee.ts'
import type { CheckoutPrice, PaymentMethod } from './payment.ts'
import type { LeasePart } from './payment-shares.ts'
import { paymentBlock, paymentBlockText } from './rules/online-payment-blocks.ts'
import { unitNamed } from './texts/several-units.ts'

/** Maximum number of units in one payment, since all their leases are locked together. */
export const MAX_UNITS = 100

type Lease = Selectable<LeasesTable>

export interface PricedUnits {
  /** Payable units by lease number; `cents` is what each owes, without the card fee. */
  units: LeasePart[]
  price: Record<PaymentMethod, CheckoutPrice>
  /** Why the first of the other units cannot be paid; null if all can. */
  refused: string | null
}

/** Prices the dues of a tenant's leases, without those that cannot be paid online. */
export async function priceUnits(
  services: Services,
  facts: FacilityFacts,
  request: { tenantId: number; leaseNumbers: readonly number[] },
): Promise<PricedUnits> {
  const numbers = [...new Set(request.leaseNumbers)]
  const leases = await services.db.read
    .selectFrom('leases')
    .selectAll()
    .where(isTenant({ location_code: facts.location.location_code, tenant_id: request.tenantId }))
    .where('lease_number', 'in', numbers)
    .orderBy('lease_number')
    .execute()
  const refusals = await Promise.all(leases.map((lease) => paymentRefusal(services, facts, lease)))
  const payable = leases.filter((_, index) => refusals[index] === null)
  const refused = leases.length < numbers.length ? invalidLeaseSession : refusals.find((refusal) => refusal !== null)
  return {
    units: payable.map((lease) => ({
      leaseNumber: lease.lease_number,
      unitNumber: lease.unit_number,
      unitId: lease.unit_id,
      cents: lease.balance,
    })),
    price: { CC: priceDues(facts, payable, 'CC'), ACH: priceDues(facts, payable, 'ACH') },
    refused: refused ?? null,
  }
}

/** Returns why a unit's dues cannot be paid, with its number; null if they can. */
async function paymentRefusal(services: Services, facts: FacilityFacts, lease: Lease): Promise<string | null> {
  const standing = { auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through }
  const block = paymentBlock(standing, facts.today)
  const reason = block
    ? paymentBlockText(block, formatPhone(await phoneFor(services, facts.location)))
    : lease.balance <= 0
      ? paymentAlreadyProcessed
      : null
  return reason && `${unitNamed(lease.unit_number)}: ${reason}`
}

/** Returns the price of these leases' dues by one payment method. */
function priceDues(facts: FacilityFacts, leases: readonly Lease[], method: PaymentMethod): CheckoutPrice {
  const lines = leases.map((lease) => ({
    label: unitNamed(lease.unit_number),
    explain: '',
    cents: lease.balance,
  }))
  const cardFee = cardFeeOf(facts, leases, method)
  if (cardFee) {
    const explain = 'Once for this card payment, since one of the units is not on autopay.'
    lines.push({ label: cardProcessingFee, explain, cents: cardFee.amount })
    const { tax = 0 } = cardFee
    if (tax > 0) lines.push({ label: 'Tax on fees', explain: 'On the card fee.', cents: tax })
  }
  return { lines, total: lines.reduce((sum, { cents }) => sum + cents, 0), cardFee, ahead: 0, period: null }
}

/** Returns the card fee of one card payment: the highest of any of its units, once; null without a fee. */
function cardFeeOf(facts: FacilityFacts, leases: readonly Lease[], method: PaymentMethod): CheckoutPrice['cardFee'] {
  let highest: CheckoutPrice['cardFee'] = null
  for (const lease of leases) {
    const fee = cardFeeFor(facts, lease.unit_type_id, { autopay: lease.autopay !== 0, method })
    if (!fee || fee.amount <= (highest?.amount ?? 0)) continue
    const tax = taxOn(fee.amount, facts.location.fee_tax_rate)
    highest = { feeId: fee.feeId, amount: fee.amount, tax, leaseNumber: lease.lease_number }
  }
  return highest
}

/** Returns each lease's part of the payment: its dues, plus the card fee and tax for the lease that bears it. */
export const partsWithCardFee = (
  units: readonly LeasePart[],
  { cardFee }: Pick<CheckoutPrice, 'cardFee'>,
): LeasePart[] =>
  units.map((unit) =>
    cardFee?.leaseNumber === unit.leaseNumber
      ? { ...unit, cents: unit.cents + cardFee.amount + (cardFee.tax ?? 0) }
      : unit,
  )
