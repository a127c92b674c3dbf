import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { taxOnFees } from '../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import type { Lease } from '../leases/lease.ts'
import { loadLeaseFees } from '../leases/load-and-add-recurring-lease-fees.ts'
import { requireToday } from '../leases/lock-lease-row.ts'
import { addEntries, type LedgerLine, periodEntry } from '../ledger/build-and-insert-entries.ts'
import { loadChargedThrough } from '../ledger/lease-ledger-totals.ts'
import { nextPeriodInput } from '../ledger/quote-prepay.ts'
import { periodCharges } from '../pricing/rules/charges.ts'
import { applyScheduledRents, firstPeriodAtNewRent } from '../rent-changes/apply-rent-changes-when-charged.ts'
import { loadReversedPeriods } from './reverse-payment.ts'
import { updateStanding } from './update-standing.ts'

/**
 * Charges a number of periods to a lease, starting after its last charged one, and applies a scheduled rent with which
 * one of them is charged.
 * @returns first and last day of these periods, and the sum of their charges in cents
 */
export async function postPeriods(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  lease: Lease,
  periods: number,
): Promise<{ from: IsoDate; to: IsoDate; cents: Cents }> {
  const fees = await loadLeaseFees(tx, lease.location_code, lease.lease_number)
  const from = addDays(await loadChargedThrough(tx, lease), 1)
  const { location_code: locationCode, lease_number: leaseNumber } = lease
  const reversalsByLease = await loadReversedPeriods(tx, { locationCode, from: leaseNumber, to: leaseNumber })
  const reversals = reversalsByLease.get(leaseNumber)
  let to = from
  let cents = 0
  let start = from
  const starts: IsoDate[] = []
  for (let at = 0; at < periods; at += 1) {
    const charges = periodCharges({ ...nextPeriodInput(facts, lease, fees), periodStart: start })
    const period = { start: charges.periodStart, end: charges.periodEnd }
    await addEntries(
      tx,
      services,
      lease,
      facts.today,
      charges.lines.map((line) => ({ ...periodEntry(line, start, reversals?.get(start)), period })),
    )
    cents += charges.total
    starts.push(start)
    to = charges.periodEnd
    start = addDays(charges.periodEnd, 1)
  }
  const newRentStart = firstPeriodAtNewRent(lease, starts)
  if (newRentStart !== null)
    await applyScheduledRents(tx, services, locationCode, new Map([[leaseNumber, newRentStart]]))
  return { from, to, cents }
}

/** Returns the ledger lines of a payment's card fee and its tax, to be written with the payment. */
export function cardFeeEntries(fee: { amount: Cents; tax: Cents; description: string }, orderId: string): LedgerLine[] {
  const { tax } = fee
  const once = `order:${orderId}:card_fee`
  return [
    { kind: 'fee', cents: fee.amount, description: fee.description, once, orderId },
    ...(tax > 0 ? [{ kind: 'tax' as const, cents: tax, description: taxOnFees, once: `${once}_tax`, orderId }] : []),
  ]
}

/**
 * Posts a single charge (above 0) or credit (below 0) and updates the lease's standing. The `once` key makes it unique.
 */
export async function postCharge(
  tx: Kysely<Tables>,
  services: Services,
  charge: {
    locationCode: string
    leaseNumber: number
    kind: 'fee' | 'tax' | 'credit'
    cents: Cents
    description: string
    once: string
  },
): Promise<void> {
  const key = { location_code: charge.locationCode, lease_number: charge.leaseNumber }
  const { kind, cents, description, once } = charge
  await addEntries(tx, services, key, await requireToday(tx, services, charge.locationCode), [
    { kind, cents, description, once },
  ])
  await updateStanding(tx, services, key)
}

/** A payment to post to a lease's ledger. */
export interface PaymentToPost {
  locationCode: string
  leaseNumber: number
  cents: Cents
  orderId: string
  description: string
  /** Today at the facility, if known. */
  today?: IsoDate
  /** Charges posted together with the payment, such as `cardFeeEntries`. */
  charges?: LedgerLine[]
}

/**
 * Posts an order's payment once and updates the lease's standing.
 * @returns balance after the payment, in cents
 */
export async function postPayment(tx: Kysely<Tables>, services: Services, payment: PaymentToPost): Promise<Cents> {
  const key = { location_code: payment.locationCode, lease_number: payment.leaseNumber }
  const today = payment.today ?? (await requireToday(tx, services, payment.locationCode))
  const paymentLine: LedgerLine = {
    kind: 'payment',
    cents: -payment.cents,
    description: payment.description,
    once: `order:${payment.orderId}:payment`,
    orderId: payment.orderId,
  }
  await addEntries(tx, services, key, today, [...(payment.charges ?? []), paymentLine])
  return updateStanding(tx, services, key)
}
