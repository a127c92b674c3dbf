import type { ExpressionBuilder, Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { achFailed } from '../../domain/texts/payment.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { asRecordedOrder, leasePayers, type Payment, type SettleResult } from './payment.ts'
import type { AttemptSubject } from './rules/attempt-count-subject.ts'
import { failureReason, failureText } from './rules/payment-failure-reason.ts'
import { retriesUsedUp } from './rules/retry-notice-after-declines.ts'
import { type NotCharged, notCharged } from './texts/was-money-taken-by-payment-state.ts'

/**
 * Returns the stored outcome of a payment; null if a captured payment must first be posted, or the provider must be
 * queried, as for open, cancelled and expired orders.
 */
export function storedOutcome(payment: Payment, failedAttempts: number): SettleResult | null {
  switch (payment.state) {
    case 'posted':
    // A debit that the bank returned had been posted, so its payer still sees the posted payment.
    case 'returned':
      return { state: 'posted', leaseNumber: payment.lease_number, payment }
    case 'declined':
      return {
        state: 'declined',
        ...declineTexts(payment, payment.response_code ?? '', payment.response_text ?? ''),
        retriesUsedUp: retriesUsedUp(failedAttempts),
      }
    case 'review':
      return { state: 'review' }
    case 'refund_due':
    case 'refunded':
      return { state: 'refund' }
    default:
      return null
  }
}

/** Returns the sentence about a declined payment (spec 1 §8), and its reason. */
export function declineTexts(payment: Pick<Payment, 'method'>, responseCode: string, responseDescription: string) {
  const response = { responseCode, responseDescription }
  return {
    message: payment.method === 'ACH' ? achFailed : failureText(response),
    reason: failureReason(response),
  }
}

/** Returns the condition that selects the orders of a draft, checkout or link. */
export const attemptsOf = (subject: AttemptSubject) => (eb: ExpressionBuilder<Tables, 'payments'>) =>
  subject.draft_id !== null
    ? eb('draft_id', '=', subject.draft_id)
    : subject.link_uuid !== null
      ? eb('link_uuid', '=', subject.link_uuid)
      : eb.and([eb('quote_id', '=', subject.quote_id), eb('payer', 'in', leasePayers)])

/** Returns how many orders of the same draft, checkout or link were declined (spec 1 §4 "Retry rule"). */
export async function countFailedAttempts(
  services: { db: Pick<Services['db'], 'read'> },
  subject: AttemptSubject,
): Promise<number> {
  const row = await services.db.read
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('tries'))
    .where('state', '=', 'declined')
    .where(attemptsOf(subject))
    .executeTakeFirst()
  return Number(row?.tries ?? 0)
}

/** Returns the declined autopay orders of a lease's period. */
export const loadRefusedAttempts = (
  db: Kysely<Tables>,
  lease: LeaseKey,
  period: IsoDate,
): Promise<Pick<Payment, 'created_at'>[]> =>
  db
    .selectFrom('payments')
    .select('created_at')
    .where(isLease(lease))
    .where('autopay_period', '=', period)
    .where('state', '=', 'declined')
    .execute()

/** Reason for a failed payment order, as shown to the payer. */
export interface Failure {
  /** Sentence of the specification (spec 1 §8). */
  sentence: string
  /** Statement that nothing was charged; null if that may be untrue in the order's state. */
  charged: NotCharged | null
}

/** Returns why an order was declined, with a statement about the charge; null unless the order was declined. */
export const failureOf = (order: Payment): Failure | null =>
  order.state === 'declined'
    ? {
        sentence: declineTexts(order, order.response_code ?? '', order.response_text ?? '').message,
        charged: notCharged(asRecordedOrder(order)),
      }
    : null
