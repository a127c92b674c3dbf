import type { Cents } from '../../../domain/money.ts'
import type { PayerKind } from '../../../domain/payer-kinds.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type ListedRefund, loadRefundsOfOrder } from '../../refunds/refunds-of-order.ts'
import { loadPaymentFacts, type PaymentFacts } from '../receipt.ts'
import { mayReadReceipt } from '../rules/payment-visibility.ts'

type ReceiptFields =
  | 'locationCode'
  | 'unitNumber'
  | 'name'
  | 'lines'
  | 'total'
  | 'method'
  | 'date'
  | 'receiptNumber'
  | 'paidThrough'

/** Receipt of a card or bank payment, with its refunds. */
export interface OrderReceipt extends Pick<PaymentFacts, ReceiptFields> {
  payer: PayerKind
  /** Whether the bank returned the payment, so that it no longer counts. */
  isReturned: boolean
  refunds: Pick<ListedRefund, 'cents' | 'on' | 'to' | 'isPending'>[]
}

/**
 * Loads the receipt of an order; null where the order is neither posted nor returned by the bank, or the caller may not
 * read its receipt.
 */
export async function loadOrderReceipt(
  services: Services,
  callers: Callers,
  orderId: string,
): Promise<OrderReceipt | null> {
  const facts = await loadPaymentFacts(services, orderId)
  const isCounted = facts && (facts.payment.state === 'posted' || facts.payment.state === 'returned')
  if (!facts || !isCounted || !mayReadReceipt(callers, facts.payment)) return null
  return {
    payer: facts.payment.payer,
    isReturned: facts.payment.state === 'returned',
    locationCode: facts.locationCode,
    unitNumber: facts.unitNumber,
    name: facts.name,
    lines: facts.lines,
    total: facts.total,
    method: facts.method,
    date: facts.date,
    receiptNumber: facts.receiptNumber,
    paidThrough: facts.paidThrough,
    refunds: await loadRefundsOfOrder(services, orderId),
  }
}

/** A payment for one lease that has just been made, as the lease's page shows it. */
export interface PaymentOfLease {
  /** Cents. */
  amount: Cents
  /** Card or account that paid: 'Visa ending 1111', 'Checking ****6789'; '' if unknown. */
  with: string
  byBank: boolean
  /** E-mail address to which the receipt goes; '' if unknown. */
  to: string
  orderId: string
}

/**
 * Loads the payment of an order for a lease; null where it is another lease's, charged nothing, is not posted, or the
 * caller may not read its receipt.
 * @param loadCallers called only for a posted order
 */
export async function loadPaymentOfLease(
  services: Services,
  loadCallers: () => Promise<Callers>,
  orderId: string,
  lease: { location_code: string; lease_number: number },
): Promise<PaymentOfLease | null> {
  const facts = await loadPaymentFacts(services, orderId)
  if (facts?.payment.state !== 'posted' || !mayReadReceipt(await loadCallers(), facts.payment)) return null
  if (facts.locationCode !== lease.location_code || facts.leaseNumber !== lease.lease_number || facts.total === 0)
    return null
  const { total, method, to, payment } = facts
  return { amount: total, with: method, byBank: payment.method === 'ACH', to, orderId: payment.order_id }
}
