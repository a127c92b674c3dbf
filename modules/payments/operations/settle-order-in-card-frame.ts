import type { Services } from '../../../platform/operations/services.ts'
import { settlePayment } from '../settle-payment.ts'
import type { OrderOnReturn } from '../views/order-on-card-page-return.ts'

/**
 * Settles an order whose payer is at its card form, for the page around the form.
 * @returns whether the payer may leave the form; false while the order's outcome is unknown
 */
export async function settleOrderInCardFrame(
  services: Services,
  order: Pick<OrderOnReturn, 'order_id'>,
): Promise<boolean> {
  return (await settlePayment(services, order.order_id)).state !== 'checking'
}
