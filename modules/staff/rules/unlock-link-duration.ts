import { DAY, MINUTE } from '../../../domain/durations.ts'

/** Validity in milliseconds of the mailed link by which a staff member may retry after the sign-in attempts ran out. */
export const STAFF_UNLOCK_MS = 30 * MINUTE

/**
 * Time in milliseconds for which a browser that used an unlock link has its own attempt counter. After a completed
 * sign-in, the browser keeps it until the staff member is invited again (`inviteAgain`).
 */
export const UNLOCKED_MS = DAY
