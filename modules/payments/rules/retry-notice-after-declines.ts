/** Number of declined attempts after which the retry notice is shown and a payment method must be chosen again. */
const PAYMENT_RETRY_LIMIT = 2

export function retriesUsedUp(failedAttempts: number): boolean {
  return failedAttempts >= PAYMENT_RETRY_LIMIT
}
