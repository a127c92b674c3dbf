import type { Services } from '../../../platform/operations/services.ts'
import { settlePayment } from '../settle-payment.ts'
import type { OrderOnReturn } from '../views/order-on-card-page-return.ts'
import { loadOrderOutcome, type OrderOutcome } from '../views/unposted-order-outcome.ts'

export type SettledOrder =
  | { state: 'posted'; leaseNumber: number | null }
  | { state: 'declined'; retriesUsedUp: boolean }
  | { state: 'cancelled' | 'unknown' }
  | { state: 'checking' | 'review' | 'refund'; outcome: OrderOutcome }

/**
 * Settles the order of a payer who has returned from the card page. Loads what the payer sees while the order is checked,
 * in review or refunded.
 */
export async function settleOrderAfterCardPage(services: Services, order: OrderOnReturn): Promise<SettledOrder> {
  const settled = await settlePayment(services, order.order_id)
  switch (settled.state) {
    case 'posted':
      return { state: 'posted', leaseNumber: settled.leaseNumber }
    case 'declined':
      return { state: 'declined', retriesUsedUp: settled.retriesUsedUp }
    case 'cancelled':
    case 'unknown':
      return { state: settled.state }
    default:
      return { state: settled.state, outcome: await loadOrderOutcome(services, order, settled.state) }
  }
}
