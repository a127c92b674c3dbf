/** Durations of the holds of rentals in progress. */
import { DAY, MINUTE } from '../../../domain/durations.ts'

/** Duration of the hold of a rental in progress after its last step, in milliseconds. */
export const RENT_NOW_HOLD_MS = DAY

/**
 * Duration of that hold, in milliseconds, for a renter who has proven neither e-mail nor phone and has not begun to
 * pay. It is short, since names can be invented.
 */
export const UNPROVEN_HOLD_MS = 20 * MINUTE
