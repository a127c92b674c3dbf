import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import { capturedCents, paymentMethodLabel } from '../payments/payment.ts'
import { isMultiUnitPayment } from '../payments/payment-shares-by-lease.ts'
import { spellOutCardLabel } from '../payments/rules/card-brand-and-expiry.ts'
import type { Refund } from './record-refund.ts'

/** A refund of a payment, as lists show it. */
export interface ListedRefund {
  refundId: string
  cents: Cents
  /** Day of the refund, at the facility. */
  on: IsoDate
  /**
   * Destination: 'to Visa ending 1111', 'by check 1042', 'by check', or 'by your bank' where the bank returned the
   * debit before the refund was sent or paid.
   */
  to: string
  /** Whether the money has still to be sent, or paid by hand. */
  isPending: boolean
  forgiven: boolean
}

/** Returns the refunds of a payment, oldest first. */
export async function loadRefundsOfOrder(services: Pick<Services, 'db'>, orderId: string): Promise<ListedRefund[]> {
  const rows = await services.db.read
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.order_id', 'refunds.order_id')
    .innerJoin('locations', 'locations.location_code', 'refunds.location_code')
    .selectAll('payments')
    .select(['refund_id', 'refunds.cents', 'way', 'afterwards', 'paid_by', 'time_zone'])
    .select(['refunds.state as refund_state', 'refunds.created_at as refund_created_at'])
    .where('refunds.order_id', '=', orderId)
    .orderBy('refunds.created_at')
    .orderBy('refund_id')
    .execute()
  return rows.map((row) => ({
    refundId: row.refund_id,
    cents: row.cents,
    on: todayIn(row.time_zone, row.refund_created_at),
    to:
      row.paid_by !== null
        ? `by ${row.paid_by}`
        : row.refund_state === 'returned'
          ? 'by your bank'
          : row.way === 'check'
            ? 'by check'
            : spellOutCardLabel(`to ${paymentMethodLabel(row)}`),
    isPending: row.refund_state !== 'done' && row.refund_state !== 'returned',
    forgiven: row.afterwards === 'forgiven',
  }))
}

/** Returns a refund for its mail, with its payment's amount and day; null when the id is unknown. */
export async function loadRefundForMail(services: Pick<Services, 'db'>, refundId: string) {
  const row = await services.db.read
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.order_id', 'refunds.order_id')
    .innerJoin('locations', 'locations.location_code', 'refunds.location_code')
    .select(['refunds.order_id', 'refunds.location_code', 'refunds.lease_number', 'payer'])
    .select(['amount', 'approved_amount', 'captured_at', 'payments.created_at', 'time_zone', 'paid_by'])
    .where('refund_id', '=', refundId)
    .executeTakeFirst()
  const listed =
    row && (await loadRefundsOfOrder(services, row.order_id)).find((refund) => refund.refundId === refundId)
  if (!row || !listed) return null
  return {
    ...listed,
    orderId: row.order_id,
    locationCode: row.location_code,
    leaseNumber: row.lease_number,
    /** Unit of the refunded share of a payment for several units; null for other payments. */
    unitNumber: isMultiUnitPayment(row) ? await loadUnitNumber(services, row) : null,
    captured: capturedCents(row),
    paidOn: todayIn(row.time_zone, row.captured_at ?? row.created_at),
    byHand: row.paid_by !== null,
  }
}

async function loadUnitNumber(
  { db }: Pick<Services, 'db'>,
  { location_code, lease_number }: Pick<Refund, 'location_code' | 'lease_number'>,
): Promise<string | null> {
  const lease = await db.read
    .selectFrom('leases')
    .select('unit_number')
    .where((eb) => eb.and({ location_code, lease_number }))
    .executeTakeFirst()
  return lease?.unit_number ?? null
}
