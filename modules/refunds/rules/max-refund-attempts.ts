export const MAX_REFUND_ATTEMPTS = 12
