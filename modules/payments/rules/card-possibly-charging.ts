import { MINUTE } from '../../../domain/durations.ts'
import type { PaymentState } from './payment-states.ts'

/**
 * Time in milliseconds during which a charge may be in progress, from the order's last change or the payer's last visit
 * to the card form. The provider reports a charge only when it is finished.
 */
export const CHARGING_MS = MINUTE

/** Returns whether the payer was at the order's card form within the last `CHARGING_MS`, so that it may be charging now. */
export const isPayerAtCardForm = (
  { state, form_entered_at }: { state: PaymentState; form_entered_at: number | null },
  now: number,
): boolean => state === 'presented' && form_entered_at !== null && form_entered_at > now - CHARGING_MS
