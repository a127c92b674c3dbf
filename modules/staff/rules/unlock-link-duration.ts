import { DAY, MINUTE } from '../../../domain/durations.ts'

/** Validity of the mailed link by which a staff member whose sign-in tries are spent may try again, in milliseconds. */
export const STAFF_UNLOCK_MS = 30 * MINUTE

/**
 * Time in milliseconds for which a browser that used an unlock link has its own try counter. A sign-in makes that
 * permanent.
 */
export const UNLOCKED_MS = DAY
