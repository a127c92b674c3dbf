import { MINUTE } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'
import { openStates, type Payment } from './payment.ts'

/**
 * Time in milliseconds after the payer's last visit to the card form during which the card may be charging. The
 * provider reports a charge only when it is finished.
 */
const CHARGING_MS = MINUTE

/** Returns whether the order's card may be charging now, which the card page does not show when it is opened again. */
export const isPossiblyCharging = ({ state, form_entered_at }: Payment, now: number): boolean =>
  state === 'presented' && form_entered_at !== null && form_entered_at > now - CHARGING_MS

/** Records when a payer was last at an open order's card form; `at` is null when an empty form is requested. */
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
