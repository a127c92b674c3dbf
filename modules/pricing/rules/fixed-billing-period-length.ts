/** Number of days in a billing period, whatever the month (spec 1 §9: starts today, ends 29 days later). */
export const PERIOD_DAYS = 30
