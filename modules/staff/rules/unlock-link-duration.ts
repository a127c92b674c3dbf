import { DAY, MINUTE } from '../../../domain/durations.ts'

/** Validity in milliseconds of the mailed link by which a staff member may retry after the sign-in attempts ran out. */
export const STAFF_UNLOCK_MS = 30 * MINUTE

/**
 * Time in milliseconds for which a browser that used an unlock link has its own attempt counter. A completed sign-in in
 * the browser makes that permanent.
 */
export const UNLOCKED_MS = DAY
