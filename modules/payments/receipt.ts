import type { Kysely } from 'kysely'
import { todayIn } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { isLease } from '../../platform/database/record-keys.ts'
import type { Callers, GuestCaller, RentalCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { currentBalanceDue } from '../leases/texts/portal.ts'
import { loadPaidThroughAfterOrder } from '../ledger/totals.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import type { LeasePlan } from './payers/lease-payer.ts'
import type { MoveInPlan } from './payers/move-in-payer.ts'
import type { LinkPlan } from './payers/paid-link.ts'
import type { UnitsPlan } from './payers/several-units-payer.ts'
import { loadPayment, type Payment } from './payment.ts'
import { agreedParts, type LeasePart } from './payment-shares.ts'
import { loadDuesLines, prefixWithUnit } from './receipt-lines.ts'
import { receiptNumberOf } from './rules/receipt-number.ts'
import { decryptPlan } from './stored-payment-details.ts'
import { unitNamed, unitsNamed } from './texts/several-units.ts'

export interface PaymentFacts {
  payment: Payment
  locationCode: string
  /** Number of the unit; '101, 102' for several. */
  unitNumber: string
  leaseNumber: number | null
  /** Parts of a payment for several units; [] for others. */
  parts: LeasePart[]
  /** E-mail address of the tenant or the auction winner; '' where unknown. */
  to: string
  first: string
  name: string
  lines: { label: string; cents: Cents }[]
  total: Cents
  method: string
  date: IsoDate
  receiptNumber: string
  /** Last day that this payment paid for; '' where that is not the payer's (an auction) or the bank returned it. */
  paidThrough: IsoDate | ''
}

interface Priced {
  charges?: Pick<Charges, 'lines'>
  price?: LeasePlan['price']
  lines?: { label: string; cents: Cents }[]
}

function linesOf(payment: Payment, plan: unknown): { label: string; cents: Cents }[] {
  const { charges, price, lines } = plan as Priced
  const known = charges?.lines ?? price?.lines ?? lines
  if (known) return [...known]
  const labels: Partial<Record<Payment['payer'], string>> = {
    auction: 'Facility balance of the auctioned unit',
    settlement: 'Settlement of past dues',
  }
  return [{ label: labels[payment.payer] ?? 'Payment', cents: payment.amount }]
}

/** Replaces each balance by the periods and fees that it consisted of, where they are known. */
async function withDuesTold(
  services: Services,
  payment: Payment,
  parts: readonly LeasePart[],
  lines: { label: string; cents: Cents }[],
) {
  const told = lines.map(async (line) => {
    const part = parts.find(({ unitNumber }) => line.label === unitNamed(unitNumber))
    if (!part && line.label !== currentBalanceDue) return [line]
    if (part?.ahead) return prefixWithUnit(part.unitNumber, part.ahead.lines)
    const order = part ? { ...payment, lease_number: part.leaseNumber } : payment
    const dues = (await loadDuesLines(services, order, line.cents)) ?? [line]
    return part && dues[0] !== line ? prefixWithUnit(part.unitNumber, dues) : dues
  })
  return (await Promise.all(told)).flat()
}

/** Returns lines that add up to the amount charged, even where it differs from the agreed one. */
export function linesOfCharge(
  payment: Pick<Payment, 'amount' | 'approved_amount'>,
  agreed: readonly { label: string; cents: Cents }[],
): { lines: { label: string; cents: Cents }[]; total: Cents } {
  const lines = agreed.map(({ label, cents }) => ({ label, cents }))
  const total = payment.approved_amount ?? payment.amount
  const sum = lines.reduce((all, line) => all + line.cents, 0)
  // A staff member accepted another amount than agreed.
  if (sum !== total) lines.push({ label: 'Charged differently', cents: total - sum })
  return { lines, total }
}

const endingIn = (payment: Payment): string =>
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

type Unit = Pick<NonNullable<Awaited<ReturnType<typeof reservationWithTenant>>>, 'email' | 'first' | 'last'>

async function payeeOf(services: Services, payment: Payment, { email, first, last }: Unit, plan: Partial<LinkPlan>) {
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

export async function paymentFacts(services: Services, orderId: string): Promise<PaymentFacts | null> {
  const payment = await loadPayment(services, orderId)
  if (!payment) return null
  const { location_code: locationCode, lease_number: leaseNumber } = payment
  const { read } = services.db
  const plan = decryptPlan<Partial<MoveInPlan & LinkPlan & UnitsPlan>>(services, payment)
  const parts = agreedParts(plan)
  const ofFirst = leaseNumber ?? parts[0]?.leaseNumber ?? null
  const leased = ofFirst === null ? undefined : await leaseWithTenant(read, locationCode, ofFirst)
  const reserved =
    ofFirst === null && plan.reservationCode !== undefined
      ? await reservationWithTenant(read, locationCode, plan.reservationCode)
      : undefined
  const of = leased ?? reserved
  if (!of) return null
  const { lines, total } = linesOfCharge(payment, await withDuesTold(services, payment, parts, linesOf(payment, plan)))
  return {
    payment,
    locationCode,
    unitNumber: parts.length > 0 ? unitsNamed(parts.map((part) => part.unitNumber)) : of.unit_number,
    leaseNumber: parts.length > 0 ? null : (leased?.lease_number ?? null),
    parts,
    ...(await payeeOf(services, payment, of, plan)),
    lines,
    total,
    method: endingIn(payment),
    date: todayIn(of.time_zone, payment.captured_at ?? payment.created_at),
    receiptNumber: receiptNumberOf(payment),
    paidThrough: leased && parts.length === 0 ? await paidThroughBy(read, payment, leased) : '',
  }
}

/** Returns the day through which a payment paid its lease; '' for an auction or a returned payment. */
async function paidThroughBy(
  db: Kysely<Tables>,
  { order_id: orderId, location_code, payer, state }: Payment,
  { lease_number, paid_through }: { lease_number: number; paid_through: IsoDate },
): Promise<IsoDate | ''> {
  if (payer === 'auction' || state === 'returned') return ''
  return (await loadPaidThroughAfterOrder(db, { location_code, lease_number, orderId })) ?? paid_through
}

/** Returns whether a rental session may see a payment. A session that found the rental by name sees only its own. */
export const isPaymentOfSession = (
  { draftId, proof, resumedId }: Pick<RentalCaller, 'draftId' | 'proof' | 'resumedId'>,
  payment: Pick<Payment, 'draft_id' | 'opened_by'>,
): boolean => payment.draft_id === draftId && (proof !== 'names' || payment.opened_by === resumedId)

/** Returns whether the caller made the payment, also by autopay, and so may see its card. */
export function isOwnPayment(callers: Callers, payment: Payment): boolean {
  const { payer, link_uuid, opened_by } = payment
  if (callers.rental && isPaymentOfSession(callers.rental, payment)) return true
  if (link_uuid !== null) {
    if (payer === 'auction') return callers.auction?.uuid === link_uuid
    if (payer === 'settlement' && callers.settlement?.uuid === link_uuid) return true
  }
  return payer === 'guest'
    ? opened_by !== null && opened_by === callers.guest?.signIn && reaches(callers.guest, payment)
    : reaches(callers.tenant, payment)
}

/** Returns whether the caller may read the receipt: the payer, or the tenant whose lease a guest paid. */
export const mayReadReceipt = (callers: Callers, payment: Payment): boolean =>
  isOwnPayment(callers, payment) || reaches(callers.tenant, payment)

const reaches = (caller: Pick<GuestCaller, 'tenants'> | undefined, { location_code, tenant_id }: Payment): boolean =>
  tenant_id !== null &&
  (caller?.tenants.some((one) => one.locationCode === location_code && one.tenantId === tenant_id) ?? false)
