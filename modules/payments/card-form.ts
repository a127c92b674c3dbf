import { MINUTE } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'
import { openStates, type Payment } from './payment.ts'

/**
 * Maximum time in milliseconds that a card may be charging after its payer was last seen at the form. Until it is
 * charged, the provider does not know it.
 */
const CHARGING_MS = MINUTE

/** Returns whether the order's card may be charging now, which the card page does not show when it is opened again. */
export const isPossiblyCharging = ({ state, form_entered_at }: Payment, now: number): boolean =>
  state === 'presented' && form_entered_at !== null && form_entered_at > now - CHARGING_MS

/** Records when a payer was last at an open order's card form; `null` when an empty form is requested. */
export async function recordCardFormVisit(services: Services, orderId: string, at: number | null): Promise<void> {
  // Losing this write to a power cut is harmless; the payer's next visit to the form repeats it.
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
