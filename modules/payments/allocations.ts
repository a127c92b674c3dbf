/** What each lease has of an order: of one for several its rows, of any other itself. */
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PaymentSharesTable, Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import type { Payment } from './payment.ts'
import { planOf } from './sealed-details.ts'

/** A lease as it was agreed to pay for it. */
export interface Part {
  leaseNumber: number
  unitNumber: string
  unitId: number
  cents: Cents
}

export type Share = Selectable<PaymentSharesTable>

/** Whether the order names no lease, since it pays for several. */
export const isOfSeveral = ({ payer }: Pick<Payment, 'payer'>): boolean => payer === 'units'

/** By lease number; [] of an order for one lease. */
export const partsOf = (services: Services, payment: Pick<Payment, 'order_id' | 'plan'>): Part[] =>
  planOf<{ parts?: Part[] }>(services, payment).parts ?? []

/** The leases that an order pays for, by number; [] of a move-in or a link that is not posted yet. */
export const leasesPaid = (services: Services, payment: Pick<Payment, 'order_id' | 'plan' | 'lease_number'>) =>
  payment.lease_number !== null ? [payment.lease_number] : partsOf(services, payment).map((part) => part.leaseNumber)

/**
 * The orders of leases: their own, and those that pay for one of them among others. Found first and then looked up: by an `or`
 * PostgreSQL goes through all payments, by an `in` SQLite through all of a state. Select with `selectAll('payments')`.
 */
export function ordersOfLeases(
  db: Kysely<Tables>,
  locationCode: string,
  leaseNumbers: readonly number[],
): SelectQueryBuilder<Tables, 'payments', object> {
  const found = db
    .selectFrom((eb) =>
      eb
        .selectFrom('payments as own')
        .select('own.order_id as id')
        .where('own.location_code', '=', locationCode)
        .where('own.lease_number', 'in', leaseNumbers)
        // One order may have shares of more than one of them.
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
  return found as unknown as SelectQueryBuilder<Tables, 'payments', object>
}

export const ordersOfLease = (db: Kysely<Tables>, { location_code, lease_number }: LeaseKey) =>
  ordersOfLeases(db, location_code, [lease_number])

export async function insertShares(
  tx: Kysely<Tables>,
  { order_id, location_code }: Pick<Payment, 'order_id' | 'location_code'>,
  parts: readonly Part[],
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

/** Of a payment that took another amount than was agreed. */
export async function setShares(tx: Kysely<Tables>, orderId: string, parts: readonly Part[]): Promise<void> {
  for (const { leaseNumber, cents } of parts)
    await tx
      .updateTable('payment_shares')
      .set({ cents })
      .where('order_id', '=', orderId)
      .where('lease_number', '=', leaseNumber)
      .execute()
}

type OfOrder = Pick<Payment, 'order_id' | 'payer' | 'location_code' | 'lease_number'> &
  Pick<Payment, 'amount' | 'approved_amount' | 'refunded_cents'>

/** By lease number. An order for one lease has one, which no row says; a move-in or a link that is not posted has none. */
export async function sharesOf(db: Kysely<Tables>, payment: OfOrder): Promise<Share[]> {
  const { order_id, location_code, lease_number, refunded_cents } = payment
  if (isOfSeveral(payment))
    return db
      .selectFrom('payment_shares')
      .selectAll()
      .where('order_id', '=', order_id)
      .orderBy('lease_number')
      .execute()
  const cents = payment.approved_amount ?? payment.amount
  return lease_number === null ? [] : [{ order_id, location_code, lease_number, cents, refunded_cents }]
}

/** A payment as each of its leases sees it: its share, by lease number. */
export const asOfLeases = async (db: Kysely<Tables>, payment: Payment): Promise<Payment[]> =>
  (await sharesOf(db, payment)).map(({ lease_number, cents, refunded_cents }) => ({
    ...payment,
    lease_number,
    amount: cents,
    approved_amount: cents,
    refunded_cents,
  }))

/** The same of one lease; undefined where the payment is not for it. */
export const asOfLease = async (db: Kysely<Tables>, payment: Payment, leaseNumber: number) =>
  (await asOfLeases(db, payment)).find((own) => own.lease_number === leaseNumber)

/** Raises what of a lease's share is promised back. @returns false where less of it is left; true of a payment for one lease */
export async function raiseShare(tx: Kysely<Tables>, payment: Payment, cents: Cents): Promise<boolean> {
  if (!isOfSeveral(payment)) return true
  const raised = await tx
    .updateTable('payment_shares')
    .set((eb) => ({ refunded_cents: eb('refunded_cents', '+', cents) }))
    .where('order_id', '=', payment.order_id)
    .where('lease_number', '=', payment.lease_number)
    .where((eb) => eb(eb('refunded_cents', '+', cents), '<=', eb.ref('cents')))
    .returning('order_id')
    .executeTakeFirst()
  return raised !== undefined
}

/** What each part gets of another amount than was agreed: one after the other its own, the last what is left. */
export function sharedOut(parts: readonly Part[], captured: Cents): Part[] {
  let left = captured
  return parts.map((part, at) => {
    const cents = at === parts.length - 1 ? left : Math.min(part.cents, left)
    left -= cents
    return { ...part, cents }
  })
}
