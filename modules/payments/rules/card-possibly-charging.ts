import { MINUTE } from '../../../domain/durations.ts'
import type { PaymentState } from './payment-states.ts'

/**
 * Time in milliseconds after the payer's last visit to the card form during which the card may be charging. The
 * provider reports a charge only when it is finished.
 */
const CHARGING_MS = MINUTE

/** Returns whether the order's card may be charging now, which the card page does not show when it is opened again. */
export const isPayerAtCardForm = (
  { state, form_entered_at }: { state: PaymentState; form_entered_at: number | null },
  now: number,
): boolean => state === 'presented' && form_entered_at !== null && form_entered_at > now - CHARGING_MS
