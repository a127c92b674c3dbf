import { DAY, MINUTE } from '../../../domain/durations.ts'

/**
 * Duration of the hold of a rental in progress after its last step, in milliseconds, for a renter who has signed in,
 * opened the mailed or texted link, or paid (`proveRenter`). A reservation at the desk holds its unit at least as long.
 */
export const RENT_NOW_HOLD_MS = DAY

/**
 * Duration of the hold of a rental in progress after its last step, in milliseconds, while the renter is not proven. It
 * is short, since names can be invented.
 */
export const UNPROVEN_HOLD_MS = 20 * MINUTE

/**
 * Returns how long a rental in progress holds its unit after a step, in milliseconds.
 * @param unprovenFrom value of `reservations.unproven_from`; null for a proven renter
 */
export const rentalHoldMs = (unprovenFrom: string | null): number =>
  unprovenFrom === null ? RENT_NOW_HOLD_MS : UNPROVEN_HOLD_MS
