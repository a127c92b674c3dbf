import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { capturedCents, paymentMethodLabel } from '../../payments/payment.ts'
import { isMultiUnitPayment, ordersOfLease, paymentForLease } from '../../payments/payment-shares-by-lease.ts'

/** A posted payment with an amount left to refund. */
export interface RefundableOrder {
  orderId: string
  captured: Cents
  refunded: Cents
  remaining: Cents
  /** Whether the amounts are a share of a payment for several units. */
  ofSeveral: boolean
  /** Payment method, such as 'VI **** 1111' or 'Checking ****6789'. */
  paidWith: string
  paidOn: IsoDate
}

const MAX_ORDERS = 12

/** Returns the newest 12 posted payments of a lease with an amount left to refund, newest first. */
export async function loadRefundableOrders(
  db: Kysely<Tables>,
  lease: { location_code: string; lease_number: number },
): Promise<RefundableOrder[]> {
  const rows = await ordersOfLease(db, lease)
    .innerJoin('locations', 'locations.location_code', 'payments.location_code')
    .selectAll('payments')
    .select('time_zone')
    .where('payments.state', '=', 'posted')
    .where('payer', '!=', 'auction')
    .where('refunded_cents', '<', (eb) => eb.fn.coalesce('approved_amount', 'amount'))
    .orderBy('posted_at', 'desc')
    .execute()
  const orders: RefundableOrder[] = []
  for (const row of rows) {
    if (orders.length === MAX_ORDERS) break
    const leaseShare = await paymentForLease(db, row, lease.lease_number)
    if (!leaseShare || leaseShare.refunded_cents >= capturedCents(leaseShare)) continue
    orders.push({
      orderId: row.order_id,
      captured: capturedCents(leaseShare),
      refunded: leaseShare.refunded_cents,
      remaining: capturedCents(leaseShare) - leaseShare.refunded_cents,
      ofSeveral: isMultiUnitPayment(row),
      paidWith: paymentMethodLabel(row),
      paidOn: todayIn(row.time_zone, row.posted_at ?? row.created_at),
    })
  }
  return orders
}
