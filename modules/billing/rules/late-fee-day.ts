/** Days after the first day of an unpaid period before its late fee is charged. */
export const LATE_FEE_AFTER_DAYS = 10
