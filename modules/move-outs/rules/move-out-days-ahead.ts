/** Maximum number of days from today until a move-out date. */
export const MAX_DAYS_AHEAD = 90
