import type { Services } from '../../../platform/operations/services.ts'
import { openStates } from '../payment.ts'
import type { OrderOnReturn } from '../views/order-on-card-page-return.ts'

/**
 * Records when a payer was last at an open order's card form.
 * @param at epoch milliseconds; null when the payer has not submitted the form and opens it again
 */
export async function recordCardFormVisit(
  services: Services,
  order: Pick<OrderOnReturn, 'order_id'>,
  at: number | null,
): Promise<void> {
  // A power cut may lose this write. The time of the visit matters for a minute only (`CHARGING_MS`).
  await services.db.withoutFsync((db) =>
    db
      .updateTable('payments')
      .set({ form_entered_at: at })
      .where('order_id', '=', order.order_id)
      .where('method', '=', 'CC')
      .where('state', 'in', openStates)
      .execute(),
  )
}
