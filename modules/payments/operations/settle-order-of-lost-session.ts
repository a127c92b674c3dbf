import type { Services } from '../../../platform/operations/services.ts'
import { asRecordedOrder, loadPayment } from '../payment.ts'
import { settlePayment } from '../settle-payment.ts'
import { type ChargeStatement, chargeStatement } from '../texts/was-money-taken-by-payment-state.ts'
import type { OrderOnReturn } from '../views/order-on-card-page-return.ts'

/**
 * Settles an order whose browser has lost its session, since the money may have been taken.
 * @returns the sentence about the charge, without names and amounts; `isOpen` while the order's outcome is unknown
 */
export async function settleOrderOfLostSession(
  services: Services,
  order: OrderOnReturn,
): Promise<{ statement: ChargeStatement; isOpen: boolean }> {
  const settled = await settlePayment(services, order.order_id)
  const current = await loadPayment(services, order.order_id)
  return {
    statement: current ? chargeStatement(asRecordedOrder(current)) : order.statement,
    isOpen: settled.state === 'checking',
  }
}
