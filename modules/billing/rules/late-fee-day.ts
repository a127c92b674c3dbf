export const LATE_FEE_AFTER_DAYS = 10
