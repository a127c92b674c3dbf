import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { cardLabel, type PaymentState } from '../../domain/payment.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PayerKind } from '../../platform/schema/columns.ts'
import type { PaymentsTable, Tables } from '../../platform/schema/tables.ts'
import type { BankAccount } from '../../ports/bank/bank.ts'
import type { FacilityFacts } from '../facilities/facts.ts'
import type { LockedLease } from '../leases/lock.ts'
import type { LedgerTotals } from '../ledger/totals.ts'
import type { ReservationKey } from '../reservations/holds.ts'
import type { RecordedOrder, RecordedOrders } from './texts/charged.ts'

export type Payment = Selectable<PaymentsTable>

export type PaymentMethod = 'CC' | 'ACH'

/** What a checkout costs by one way of paying. */
export interface CheckoutPrice {
  lines: { label: string; explain: string; cents: Cents }[]
  total: Cents
  /** Among the lines; null where this way of paying bears none. Orders from before its tax was kept are without that; of several units `leaseNumber` bears it. */
  cardFee: { feeId: number; amount: Cents; tax?: Cents; leaseNumber?: number } | null
  /** What of the total is for periods ahead, in cents: the rest is the card fee and its tax. 0 for dues. */
  ahead: Cents
  period: { from: IsoDate; to: IsoDate } | null
}

export interface Payer {
  kind: PayerKind
  /** Posts captured money in the transaction that marks it posted. @param held the lease, locked. @throws PostingRejected */
  post(
    tx: Kysely<Tables>,
    services: Services,
    payment: Payment,
    facts: FacilityFacts | null,
    held: LeaseWithTotals | null,
  ): Promise<{ leaseNumber: number | null }>
}

export interface LeaseWithTotals {
  lease: LockedLease
  books: LedgerTotals
}

/** Captured money that can never be posted: it is refunded. */
export class PostingRejected extends Error {
  readonly why: string
  constructor(why: string) {
    super(why)
    this.name = 'PostingRejected'
    this.why = why
  }
}

/** What else is written in the transaction of a move: an audit event. */
export type Also = (tx: Kysely<Tables>) => Promise<void>

export type Settled =
  | { state: 'posted'; leaseNumber: number | null; payment: Payment }
  /** Not known yet: asked again by order id, safe to close. `unreachable`: the provider could not even be asked. */
  | { state: 'checking'; unreachable?: true }
  /** `message` is the specified sentence; `retriesUsedUp` asks for the retry notice. */
  | { state: 'declined'; message: string; reason: string; retriesUsedUp: boolean }
  | { state: 'cancelled' }
  /** Captured, but it differs from what was agreed: a person decides. */
  | { state: 'review' }
  /** Captured, cannot be used, on its way back. */
  | { state: 'refund' }
  | { state: 'unknown' }

export async function paymentOf(services: Services, orderId: string): Promise<Payment | undefined> {
  if (!/^[A-Za-z0-9-]{8,64}$/.test(orderId)) return undefined
  return services.db.read.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** Lets sentences about money be made of an order: of a row of the books alone. */
export const recorded = ({ state }: Payment): RecordedOrder => ({ state }) as RecordedOrder

/** The same of all orders of one rental. */
export function recordedOrders(rows: readonly Payment[]): RecordedOrders {
  const orders: readonly RecordedOrder[] = rows.map(recorded)
  return { orders } as RecordedOrders
}

/** The orders of a reservation's rental, whichever browsers opened them. */
export const ordersOfReservation = (
  db: Kysely<Tables>,
  { locationCode, reservationCode }: ReservationKey,
): Promise<Payment[]> =>
  db
    .selectFrom('payments')
    .innerJoin('rental_drafts', 'rental_drafts.draft_id', 'payments.draft_id')
    .selectAll('payments')
    .where('rental_drafts.location_code', '=', locationCode)
    .where('rental_drafts.reservation_code', '=', reservationCode)
    .orderBy('payments.created_at')
    .execute()

/** What pays, as the ledger says it: 'VI **** 1111', 'Checking ****6789'. */
export const paidBy = (payment: Pick<Payment, 'method' | 'bank_label' | 'card_brand' | 'masked_card'>): string =>
  payment.method === 'ACH'
    ? (payment.bank_label ?? 'bank account')
    : cardLabel(payment.card_brand ?? '', payment.masked_card ?? '')

export const paymentBankContext = (orderId: string) => `payment:${orderId}:bank`

/** What autopay may charge from now on: the card that was kept, or the bank account that paid; null where neither is. */
export function savedMethod(
  services: Pick<Services, 'sealer'>,
  payment: Payment,
): { alias: string } | BankAccount | null {
  if (payment.method === 'CC') {
    const alias =
      payment.alias_sealed && services.sealer.open(payment.alias_sealed, paymentAliasContext(payment.order_id))
    return alias ? { alias } : null
  }
  return payment.bank_sealed
    ? (JSON.parse(services.sealer.open(payment.bank_sealed, paymentBankContext(payment.order_id))) as BankAccount)
    : null
}

/** An unguessable order id; it names the lease, so that a charge which our database has lost is known by the provider's list. */
export const newOrderId = (services: Services, of?: LeaseNamed): string =>
  `LK${services.random.hex(12).toUpperCase()}${of && /^[A-Za-z0-9]{1,16}$/.test(of.locationCode) ? `-${of.locationCode}-${of.leaseNumber}` : ''}`

interface LeaseNamed {
  locationCode: string
  leaseNumber: number
}

/** The lease that an order names; null for a move-in, a link, or another's order. */
export function leaseNamedBy(orderId: string): LeaseNamed | null {
  const [, locationCode, number] = /^LK[0-9A-F]{24}-([A-Za-z0-9]{1,16})-(\d{1,12})$/.exec(orderId) ?? []
  return locationCode === undefined ? null : { locationCode, leaseNumber: Number(number) }
}

export const openStates: PaymentState[] = ['created', 'presented']

/** Being made, or arrived and not in the books yet. */
export const underWay: PaymentState[] = [...openStates, 'captured', 'review']

/** Orders that we closed; a late approval still counts. */
export const closedStates: PaymentState[] = ['cancelled', 'expired']

export type Details = Partial<Omit<PaymentsTable, 'order_id' | 'state' | 'refunded_cents'>>

/** `units`: a tenant, for several leases at once; the order names none of them. */
export const leasePayers: PayerKind[] = ['tenant', 'guest', 'autopay', 'units']

export const paymentAliasContext = (orderId: string) => `payment:${orderId}:alias`
