import type { Services } from '../../platform/operations/services.ts'
import { openStates, type Payment } from './payment.ts'

/** Longest that a card is being charged after its payer was last seen at the form: the provider knows nothing of it until then. */
const CHARGING_MS = 60 * 1000

/** Whether an order's card may be being charged at this moment, which its card page does not show to who opens it again. */
export const mayBeCharging = ({ state, form_entered_at }: Payment, now: number): boolean =>
  state === 'presented' && form_entered_at !== null && form_entered_at > now - CHARGING_MS

/** Notes that a payer is at an open order's card form, or asks for an empty one: `null`. */
export async function noteCardForm(services: Services, orderId: string, at: number | null): Promise<void> {
  // A note that a power cut loses is made again with the payer's next look.
  await services.db.withoutFsync((db) =>
    db
      .updateTable('payments')
      .set({ form_entered_at: at })
      .where('order_id', '=', orderId)
      .where('method', '=', 'CC')
      .where('state', 'in', openStates)
      .execute(),
  )
}
