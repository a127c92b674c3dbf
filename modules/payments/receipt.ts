import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { currentBalanceDue } from '../leases/texts/portal.ts'
import { loadPaidThroughAfterOrder } from '../ledger/lease-ledger-totals.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import type { LinkPlan } from './internal/payers/mark-link-paid.ts'
import type { UnitsPlan } from './internal/payers/post-several-units-payment.ts'
import { decryptPlan } from './order-terms-encryption.ts'
import type { LeasePlan } from './payers/post-lease-payment.ts'
import type { MoveInPlan } from './payers/post-move-in-payment.ts'
import { capturedCents, loadPayment, type Payment } from './payment.ts'
import { agreedParts } from './payment-shares-by-lease.ts'
import { loadDuesLines, prefixWithUnit } from './receipt-lines.ts'
import type { LeasePart } from './rules/checkout-terms.ts'
import { receiptNumberOf } from './rules/receipt-number.ts'
import { unitNamed, unitsNamed } from './texts/several-units.ts'

/** Facts that a receipt states about a payment. Amounts are in cents. */
export interface PaymentFacts {
  payment: Payment
  locationCode: string
  /** Number of the unit; '101, 102' for several. */
  unitNumber: string
  leaseNumber: number | null
  /** Parts of a payment for several units; [] for others. */
  parts: LeasePart[]
  /** E-mail address of the tenant or the auction winner; '' if unknown. */
  to: string
  /** Given name of this recipient, of an auction winner the whole name; '' if unknown. */
  first: string
  /** Whole name of this recipient; '' if unknown. */
  name: string
  lines: { label: string; cents: Cents }[]
  total: Cents
  /** Card or account that paid: 'Visa ending 1111', 'Checking ****6789'; '' if unknown. */
  method: string
  /** Day of the payment at the facility. */
  date: IsoDate
  receiptNumber: string
  /**
   * Paid-through date of the lease right after this payment; '' for an auction, several units, a returned payment or a
   * move-in that is not posted.
   */
  paidThrough: IsoDate | ''
}

interface PlanPrices {
  charges?: Pick<Charges, 'lines'>
  price?: LeasePlan['price']
  lines?: { label: string; cents: Cents }[]
}

function planLines(payment: Payment, { charges, price, lines }: PlanPrices): { label: string; cents: Cents }[] {
  const stored = charges?.lines ?? price?.lines ?? lines
  if (stored) return [...stored]
  const labels: Partial<Record<Payment['payer'], string>> = {
    auction: 'Facility balance of the auctioned unit',
    settlement: 'Settlement of past dues',
  }
  return [{ label: labels[payment.payer] ?? 'Payment', cents: payment.amount }]
}

/**
 * Replaces each receipt line that states a unit's dues or prepayment by the lines that make it up, if they are known.
 */
async function itemizeDues(
  services: Services,
  payment: Payment,
  parts: readonly LeasePart[],
  lines: { label: string; cents: Cents }[],
) {
  const itemized = lines.map(async (line) => {
    const part = parts.find(({ unitNumber }) => line.label === unitNamed(unitNumber))
    if (!part && line.label !== currentBalanceDue) return [line]
    if (part?.ahead) return prefixWithUnit(part.unitNumber, part.ahead.lines)
    const order = part ? { ...payment, lease_number: part.leaseNumber } : payment
    const dues = (await loadDuesLines(services, order, line.cents)) ?? [line]
    return part && dues[0] !== line ? prefixWithUnit(part.unitNumber, dues) : dues
  })
  return (await Promise.all(itemized)).flat()
}

/**
 * Returns the lines and the total of a receipt. If the amount charged differs from the agreed one, a last line has the
 * difference.
 */
export function linesOfCharge(
  payment: Pick<Payment, 'amount' | 'approved_amount'>,
  agreed: readonly { label: string; cents: Cents }[],
): { lines: { label: string; cents: Cents }[]; total: Cents } {
  const lines = agreed.map(({ label, cents }) => ({ label, cents }))
  const total = capturedCents(payment)
  const sum = lines.reduce((total, line) => total + line.cents, 0)
  // The provider captured another amount than agreed, which a staff member accepts or refuses in review.
  if (sum !== total) lines.push({ label: 'Charged differently', cents: total - sum })
  return { lines, total }
}

const describeMethod = (payment: Payment): string =>
  payment.method === 'ACH'
    ? (payment.bank_label ?? '')
    : payment.masked_card
      ? `${payment.card_brand || 'Card'} ending ${payment.masked_card.replace(/\D/g, '').slice(-4)}`
      : ''

const leaseWithTenant = (db: Kysely<Tables>, locationCode: string, leaseNumber: number) =>
  db
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .leftJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .select(['leases.unit_number', 'leases.lease_number', 'leases.paid_through', 'time_zone'])
    .select(['tenants.email', 'tenants.first', 'tenants.last'])
    .where(isLease({ location_code: locationCode, lease_number: leaseNumber }, 'leases'))
    .executeTakeFirst()

const reservationWithTenant = (db: Kysely<Tables>, locationCode: string, reservationCode: string) =>
  db
    .selectFrom('reservations')
    .innerJoin('locations', 'locations.location_code', 'reservations.location_code')
    .leftJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'reservations.location_code')
        .onRef('tenants.tenant_id', '=', 'reservations.tenant_id'),
    )
    .select(['reservations.unit_number', 'time_zone', 'tenants.email', 'tenants.first', 'tenants.last'])
    .where('reservations.location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .executeTakeFirst()

type TenantContact = Pick<NonNullable<Awaited<ReturnType<typeof reservationWithTenant>>>, 'email' | 'first' | 'last'>

async function loadRecipient(
  services: Services,
  payment: Payment,
  { email, first, last }: TenantContact,
  plan: Partial<LinkPlan>,
) {
  if (payment.payer === 'auction') {
    const winner = await services.db.read
      .selectFrom('auction_winners')
      .select(['name', 'email'])
      .where('uuid', '=', payment.link_uuid ?? '')
      .executeTakeFirst()
    return { to: winner?.email ?? '', first: winner?.name ?? '', name: winner?.name ?? plan.name ?? '' }
  }
  if (email === null) return { to: '', first: '', name: plan.name ?? '' }
  return { to: email, first: first ?? '', name: `${first ?? ''} ${last ?? ''}`.trim() }
}

/** Loads the receipt facts of an order; null if the order is unknown or has no lease or reservation. */
export async function loadPaymentFacts(services: Services, orderId: string): Promise<PaymentFacts | null> {
  const payment = await loadPayment(services, orderId)
  if (!payment) return null
  const { location_code: locationCode, lease_number: leaseNumber } = payment
  const { read } = services.db
  const plan = decryptPlan<Partial<MoveInPlan & LinkPlan & UnitsPlan>>(services, payment)
  const parts = agreedParts(plan)
  const firstLease = leaseNumber ?? parts[0]?.leaseNumber ?? null
  const leaseRow = firstLease === null ? undefined : await leaseWithTenant(read, locationCode, firstLease)
  const reservationRow =
    firstLease === null && plan.reservationCode !== undefined
      ? await reservationWithTenant(read, locationCode, plan.reservationCode)
      : undefined
  const unitRow = leaseRow ?? reservationRow
  if (!unitRow) return null
  const { lines, total } = linesOfCharge(payment, await itemizeDues(services, payment, parts, planLines(payment, plan)))
  return {
    payment,
    locationCode,
    unitNumber: parts.length > 0 ? unitsNamed(parts.map((part) => part.unitNumber)) : unitRow.unit_number,
    leaseNumber: parts.length > 0 ? null : (leaseRow?.lease_number ?? null),
    parts,
    ...(await loadRecipient(services, payment, unitRow, plan)),
    lines,
    total,
    method: describeMethod(payment),
    date: todayIn(unitRow.time_zone, payment.captured_at ?? payment.created_at),
    receiptNumber: receiptNumberOf(payment),
    paidThrough: leaseRow && parts.length === 0 ? await loadPaidThroughBy(read, payment, leaseRow) : '',
  }
}

/** Returns the paid-through date of the lease right after a payment; '' for an auction or a returned payment. */
async function loadPaidThroughBy(
  db: Kysely<Tables>,
  { order_id: orderId, location_code, payer, state }: Payment,
  { lease_number, paid_through }: { lease_number: number; paid_through: IsoDate },
): Promise<IsoDate | ''> {
  if (payer === 'auction' || state === 'returned') return ''
  return (await loadPaidThroughAfterOrder(db, { location_code, lease_number, orderId })) ?? paid_through
}
