/** How long a rental in progress holds a unit. */

/** Duration of the hold of a rental in progress after its last step, in milliseconds. */
export const RENT_NOW_HOLD_MS = 24 * 60 * 60 * 1000

/**
 * Duration of that hold, in milliseconds, for a renter who has proven neither e-mail nor phone and has not begun to
 * pay. It is short, since names can be invented.
 */
export const UNPROVEN_HOLD_MS = 20 * 60 * 1000
