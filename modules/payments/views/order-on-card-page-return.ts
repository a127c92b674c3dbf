/** Loads an order for the pages to which its payer returns from the card page. */
import type { Services } from '../../../platform/operations/services.ts'
import { asRecordedOrder, loadPayment, type Payment } from '../payment.ts'
import { type ChargeStatement, chargeStatement, nothingCharged } from '../texts/was-money-taken-by-payment-state.ts'

type OrderFields =
  | 'order_id'
  | 'payer'
  | 'method'
  | 'state'
  | 'amount'
  | 'approved_amount'
  | 'autopay'
  | 'trouble'
  | 'location_code'
  | 'tenant_id'
  | 'lease_number'
  | 'draft_id'
  | 'link_uuid'
  | 'quote_id'
  | 'opened_by'
  | 'plan'

/** An order as it was read; the page may settle it afterwards. */
export interface OrderOnReturn extends Pick<Payment, OrderFields> {
  /** Sentence, without names and amounts, about whether money was taken. */
  statement: ChargeStatement
}

/** Loads an order; undefined where there is none. The caller checks whose order it is. */
export async function loadOrderOnReturn(services: Services, orderId: string): Promise<OrderOnReturn | undefined> {
  const payment = await loadPayment(services, orderId)
  if (!payment) return undefined
  return {
    order_id: payment.order_id,
    payer: payment.payer,
    method: payment.method,
    state: payment.state,
    amount: payment.amount,
    approved_amount: payment.approved_amount,
    autopay: payment.autopay,
    trouble: payment.trouble,
    location_code: payment.location_code,
    tenant_id: payment.tenant_id,
    lease_number: payment.lease_number,
    draft_id: payment.draft_id,
    link_uuid: payment.link_uuid,
    quote_id: payment.quote_id,
    opened_by: payment.opened_by,
    plan: payment.plan,
    statement: chargeStatement(asRecordedOrder(payment)),
  }
}

/** Returns 'Nothing was charged' for an order that is cancelled; null for any other. */
export async function loadCancelledOrderStatement(
  services: Services,
  orderId: string,
): Promise<ChargeStatement | null> {
  const payment = await loadPayment(services, orderId)
  return payment?.state === 'cancelled' ? nothingCharged(asRecordedOrder(payment)) : null
}
