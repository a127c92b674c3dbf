import { MINUTE } from '../../../domain/durations.ts'

/** Validity of the mailed link by which a staff member whose sign-in tries are spent may try again, in milliseconds. */
export const STAFF_UNLOCK_MS = 30 * MINUTE
