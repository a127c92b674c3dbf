import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { PayerKind } from '../../domain/payer-kinds.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PaymentsTable, Tables } from '../../platform/schema/tables.ts'
import type { BankAccount } from '../../ports/bank/bank.ts'
import type { FacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import type { LockedLease } from '../leases/lock-lease-row.ts'
import type { LedgerTotals } from '../ledger/lease-ledger-totals.ts'
import type { ReservationKey } from '../reservations/unit-holds.ts'
import { cardLabel } from './rules/card-brand-and-expiry.ts'
import type { PaymentState } from './rules/payment-states.ts'
import type { RecordedOrder, RecordedOrders } from './texts/was-money-taken-by-payment-state.ts'

export type Payment = Selectable<PaymentsTable>

export interface Payer {
  kind: PayerKind
  /**
   * Posts captured money in the transaction that marks the payment posted.
   * @param locked the locked lease and its totals; null for a move-in, a link, several leases or an unknown lease
   * @throws PostingRejected
   */
  post(
    tx: Kysely<Tables>,
    services: Services,
    payment: Payment,
    facts: FacilityFacts | null,
    locked: LeaseWithTotals | null,
  ): Promise<{ leaseNumber: number | null }>
}

export interface LeaseWithTotals {
  lease: LockedLease
  totals: LedgerTotals
}

/** Thrown when captured money can never be posted. The payment is then refunded. */
export class PostingRejected extends Error {
  readonly why: string
  constructor(why: string) {
    super(why)
    this.name = 'PostingRejected'
    this.why = why
  }
}

/** Further writes in the transaction of a state change, such as an audit event. */
export type ExtraWrites = (tx: Kysely<Tables>) => Promise<void>

export type SettleResult =
  | { state: 'posted'; leaseNumber: number | null; payment: Payment }
  /**
   * Outcome unknown; queried again by order id, so the page may be closed. `unreachable`: the provider did not respond.
   */
  | { state: 'checking'; unreachable?: true }
  /** Refused. `message` is the specified sentence; `retriesUsedUp` asks for the retry notice. */
  | { state: 'declined'; message: string; reason: string; retriesUsedUp: boolean }
  | { state: 'cancelled' }
  /** Captured, but different from what was agreed; a staff member decides. */
  | { state: 'review' }
  /** Captured but not usable; refunded, or to be refunded. */
  | { state: 'refund' }
  /** There is no such order. */
  | { state: 'unknown' }

/** Loads an order; undefined for an unknown or malformed id. */
export async function loadPayment(services: Services, orderId: string): Promise<Payment | undefined> {
  if (!/^[A-Za-z0-9-]{8,64}$/.test(orderId)) return undefined
  return services.db.read.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** Returns an order row as the type that sentences about charges require. */
export const asRecordedOrder = ({ state }: Payment): RecordedOrder => ({ state }) as RecordedOrder

/**
 * Returns order rows as the type that sentences about charges require.
 * @param rows all orders of one rental
 */
export function asRecordedOrders(rows: readonly Payment[]): RecordedOrders {
  const orders: readonly RecordedOrder[] = rows.map(asRecordedOrder)
  return { orders } as RecordedOrders
}

/** Returns all orders of a reservation's rental, whichever browser opened them, oldest first. */
export const loadOrdersOfReservation = (
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

/** Returns the card or account that paid, as the ledger shows it: 'VI **** 1111', 'Checking ****6789'. */
export const paymentMethodLabel = (
  payment: Pick<Payment, 'method' | 'bank_label' | 'card_brand' | 'masked_card'>,
): string =>
  payment.method === 'ACH'
    ? (payment.bank_label ?? 'bank account')
    : cardLabel(payment.card_brand ?? '', payment.masked_card ?? '')

/** Returns the encryption context of a payment's bank account. */
export const paymentBankContext = (orderId: string) => `payment:${orderId}:bank`

/** Returns the card token or bank account that is stored with a payment; null if neither is. */
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
    ? parseJson(
        services.sealer.open(payment.bank_sealed, paymentBankContext(payment.order_id)),
        hasFields<BankAccount>('routing', 'account'),
      )
    : null
}

/** Consent to autopay or a debit, stored with the payment: text, time (epoch milliseconds), IP address and browser. */
export interface Authorisation {
  text: string
  at: number
  address: string
  agent: string
}

export const parseStoredAuthorization = (authorisation: string): Authorisation =>
  parseJson(authorisation, hasFields<Authorisation>('text', 'at'))

/**
 * Generates an unguessable order id. It ends with the lease, if one is passed, so that a charge missing from our
 * database can be matched; a location code that is not of 1 to 16 letters and digits is left out with its lease.
 */
export const newOrderId = (services: Services, lease?: LeaseInOrderId): string =>
  `LK${services.random.hex(12).toUpperCase()}${lease && /^[A-Za-z0-9]{1,16}$/.test(lease.locationCode) ? `-${lease.locationCode}-${lease.leaseNumber}` : ''}`

interface LeaseInOrderId {
  locationCode: string
  leaseNumber: number
}

/** Parses the lease from an order id; null for an order id without a lease, or one that is not ours. */
export function parseLeaseOfOrderId(orderId: string): LeaseInOrderId | null {
  const [, locationCode, number] = /^LK[0-9A-F]{24}-([A-Za-z0-9]{1,16})-(\d{1,12})$/.exec(orderId) ?? []
  return locationCode === undefined ? null : { locationCode, leaseNumber: Number(number) }
}

/** Returns the captured amount of a payment, in cents; the agreed amount while nothing is captured. */
export const capturedCents = (payment: Pick<Payment, 'approved_amount' | 'amount'>): Cents =>
  payment.approved_amount ?? payment.amount

/** States of an open order: not charged, declined or closed yet, as far as we know. */
export const openStates: PaymentState[] = ['created', 'presented']

/** States of a payment that is captured or in manual review, but not posted. */
export const capturedStates: PaymentState[] = ['captured', 'review']

/** States of a payment whose money was taken, without those in which all of it goes back. */
export const chargedStates: PaymentState[] = [...capturedStates, 'posted']

/** States of a payment that is in progress, or captured but not posted. */
export const inProgressStates: PaymentState[] = [...openStates, ...capturedStates]

/** States of orders that were closed without a charge; a late approval still counts. */
export const closedStates: PaymentState[] = ['cancelled', 'expired']

/** Columns of a payment that can be set together with a change of its state. */
export type PaymentDetails = Partial<Omit<PaymentsTable, 'order_id' | 'state' | 'refunded_cents'>>

/** Payers of leases. `units` is a tenant who pays for several units at once; such an order has no lease number. */
export const leasePayers: PayerKind[] = ['tenant', 'guest', 'autopay', 'units']

/** Returns the encryption context of a payment's card token. */
export const paymentAliasContext = (orderId: string) => `payment:${orderId}:alias`
