/** Number of attempts to send a refund, after which a failing refund waits for a staff member. */
export const MAX_REFUND_ATTEMPTS = 12
