import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadLease } from '../../leases/lease.ts'
import { loadPaymentFacts, type PaymentFacts } from '../receipt.ts'
import { isOwnPayment } from '../rules/payment-visibility.ts'

/** A guest payer's posted payment. */
export interface CompletedGuestPayment
  extends Pick<PaymentFacts, 'unitNumber' | 'total' | 'method' | 'paidThrough' | 'receiptNumber'> {
  orderId: string
  /** Whether the payment turned autopay on, and it is still on. */
  autopay: boolean
}

/** Loads a guest payer's own payment; 'foreign' for another order or none, 'open' unless it is posted. */
export async function loadCompletedGuestPayment(
  services: Services,
  callers: Callers,
  orderId: string | undefined,
): Promise<CompletedGuestPayment | 'foreign' | 'open'> {
  const facts = orderId ? await loadPaymentFacts(services, orderId) : null
  if (facts?.payment.payer !== 'guest' || !isOwnPayment(callers, facts.payment)) return 'foreign'
  const { payment, leaseNumber, locationCode: location_code } = facts
  if (payment.state !== 'posted') return 'open'
  const { tenant_id } = payment
  const lease =
    leaseNumber === null || tenant_id === null
      ? null
      : await loadLease(services, { location_code, tenant_id }, leaseNumber)
  return {
    orderId: payment.order_id,
    unitNumber: facts.unitNumber,
    total: facts.total,
    method: facts.method,
    paidThrough: facts.paidThrough,
    receiptNumber: facts.receiptNumber,
    autopay: payment.autopay === 1 && lease?.autopay === 1,
  }
}
