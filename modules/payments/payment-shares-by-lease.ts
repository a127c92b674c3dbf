/**
 * Divides an order's money among leases. A payment for several units has a row in `payment_shares` for each lease; the
 * whole order of a single lease is that lease's share.
 */
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PaymentSharesTable, Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { decryptPlan } from './order-terms-encryption.ts'
import { capturedCents, type Payment } from './payment.ts'
import type { LeasePart } from './rules/checkout-terms.ts'

/** Parts of an order that pays for several leases, stored in the order's encrypted plan under one of two names. */
export interface PlanParts {
  /** Parts of an order that pays dues alone. */
  parts?: LeasePart[]
  /**
   * Parts of an order that prepays or turns autopay on. They have another name so that a server of an earlier release,
   * which knows only `parts`, does not post them as dues.
   */
  partsWithTerms?: LeasePart[]
}

export const agreedParts = ({ parts, partsWithTerms }: PlanParts): LeasePart[] => parts ?? partsWithTerms ?? []

export type Share = Selectable<PaymentSharesTable>

/**
 * Returns whether the order is a payment for several units, even if only one is left: its own lease number is null, and
 * its leases are in `payment_shares`.
 */
export const isMultiUnitPayment = ({ payer }: Pick<Payment, 'payer'>): boolean => payer === 'units'

/** Returns the agreed parts of an order for several leases, by lease number; [] for an order of one lease. */
export const agreedPartsOf = (services: Services, payment: Pick<Payment, 'order_id' | 'plan'>): LeasePart[] =>
  agreedParts(decryptPlan<PlanParts>(services, payment))

/** Returns the numbers of the leases that an order pays for; [] without one, as for a move-in that is not posted yet. */
export const paidLeaseNumbersOf = (services: Services, payment: Pick<Payment, 'order_id' | 'plan' | 'lease_number'>) =>
  payment.lease_number !== null
    ? [payment.lease_number]
    : agreedPartsOf(services, payment).map((part) => part.leaseNumber)

/**
 * Selects the orders of leases: their own, and orders for several units that include one of them. The order ids are
 * found first, by the indexes on the lease, and joined with their payments; the cross join keeps SQLite from reading the
 * payments first. Use `selectAll('payments')`.
 */
export function ordersOfLeases(
  db: Kysely<Tables>,
  locationCode: string,
  leaseNumbers: readonly number[],
): SelectQueryBuilder<Tables, 'payments', object> {
  const orders = db
    .selectFrom((eb) =>
      eb
        .selectFrom('payments as own')
        .select('own.order_id as id')
        .where('own.location_code', '=', locationCode)
        .where('own.lease_number', 'in', leaseNumbers)
        // A union, since one order may have shares of several of the leases.
        .union(
          eb
            .selectFrom('payment_shares as share')
            .select('share.order_id as id')
            .where('share.location_code', '=', locationCode)
            .where('share.lease_number', 'in', leaseNumbers),
        )
        .as('found'),
    )
    .crossJoin('payments')
    .whereRef('payments.order_id', '=', 'found.id')
  return orders
}

export const ordersOfLease = (db: Kysely<Tables>, { location_code, lease_number }: LeaseKey) =>
  ordersOfLeases(db, location_code, [lease_number])

/** Inserts the shares of a new order for several leases, one for each lease. */
export async function insertShares(
  tx: Kysely<Tables>,
  { order_id, location_code }: Pick<Payment, 'order_id' | 'location_code'>,
  parts: readonly LeasePart[],
): Promise<void> {
  await tx
    .insertInto('payment_shares')
    .values(
      parts.map(({ leaseNumber: lease_number, cents }) => ({
        order_id,
        location_code,
        lease_number,
        cents,
        refunded_cents: 0,
      })),
    )
    .execute()
}

/** Updates the amounts of the leases that a payment pays, when it captured another amount than agreed. */
export async function setShares(tx: Kysely<Tables>, orderId: string, parts: readonly LeasePart[]): Promise<void> {
  for (const { leaseNumber, cents } of parts)
    await tx
      .updateTable('payment_shares')
      .set({ cents })
      .where('order_id', '=', orderId)
      .where('lease_number', '=', leaseNumber)
      .execute()
}

type ShareSource = Pick<Payment, 'order_id' | 'payer' | 'location_code' | 'lease_number'> &
  Pick<Payment, 'amount' | 'approved_amount' | 'refunded_cents'>

/**
 * Returns an order's shares by lease number. A single-lease order gives one share without a row; an unposted move-in
 * gives no share.
 */
export async function loadShares(db: Kysely<Tables>, payment: ShareSource): Promise<Share[]> {
  const { order_id, location_code, lease_number, refunded_cents } = payment
  if (isMultiUnitPayment(payment))
    return db
      .selectFrom('payment_shares')
      .selectAll()
      .where('order_id', '=', order_id)
      .orderBy('lease_number')
      .execute()
  const cents = capturedCents(payment)
  return lease_number === null ? [] : [{ order_id, location_code, lease_number, cents, refunded_cents }]
}

/** Returns a payment once for each of its leases, with that lease's share as its amounts, by lease number. */
export const splitPaymentByLease = async (db: Kysely<Tables>, payment: Payment): Promise<Payment[]> =>
  (await loadShares(db, payment)).map(({ lease_number, cents, refunded_cents }) => ({
    ...payment,
    lease_number,
    amount: cents,
    approved_amount: cents,
    refunded_cents,
  }))

/** Returns a payment with one lease's share as its amounts; undefined if the payment is not for the lease. */
export const paymentForLease = async (db: Kysely<Tables>, payment: Payment, leaseNumber: number) =>
  (await splitPaymentByLease(db, payment)).find((part) => part.lease_number === leaseNumber)

/**
 * Raises the refunded amount of a lease's share, in cents.
 * @param payment the lease's part of the payment, as `paymentForLease` returns it
 * @returns false if less is left of the share; always true for a payment of one lease
 */
export async function addRefundToShare(tx: Kysely<Tables>, payment: Payment, cents: Cents): Promise<boolean> {
  if (!isMultiUnitPayment(payment)) return true
  const updated = await tx
    .updateTable('payment_shares')
    .set((eb) => ({ refunded_cents: eb('refunded_cents', '+', cents) }))
    .where('order_id', '=', payment.order_id)
    .where('lease_number', '=', payment.lease_number)
    .where((eb) => eb(eb('refunded_cents', '+', cents), '<=', eb.ref('cents')))
    .returning('order_id')
    .executeTakeFirst()
  return updated !== undefined
}

/**
 * Divides a captured amount that differs from the agreed one among leases: each gets its agreed share in turn as far as
 * the money lasts, the last one the rest.
 */
export function allocateCaptured<Part extends { cents: Cents }>(parts: readonly Part[], captured: Cents): Part[] {
  let remaining = captured
  return parts.map((part, index) => {
    const cents = index === parts.length - 1 ? remaining : Math.min(part.cents, remaining)
    remaining -= cents
    return { ...part, cents }
  })
}
