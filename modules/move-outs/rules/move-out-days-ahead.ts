/** Maximum number of days until a move-out date. */
export const MAX_DAYS_AHEAD = 90
