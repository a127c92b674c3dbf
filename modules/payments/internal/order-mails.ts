import type { Kysely } from 'kysely'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { capturedCents, type Payment } from '../payment.ts'

type OrderMailKind = 'receipt' | 'payment_review' | 'refund'

export const enqueueOrderMail = (tx: Kysely<Tables>, kind: OrderMailKind, orderId: string, now: number) =>
  enqueue(tx, { kind, once: orderId, payload: { orderId }, runAt: now })

/** Enqueues the receipt of a posted payment; a payment of 0.00 gets none. */
export async function enqueueReceipt(
  tx: Kysely<Tables>,
  payment: Pick<Payment, 'order_id' | 'amount' | 'approved_amount'>,
  now: number,
): Promise<void> {
  if (capturedCents(payment) > 0) await enqueueOrderMail(tx, 'receipt', payment.order_id, now)
}
