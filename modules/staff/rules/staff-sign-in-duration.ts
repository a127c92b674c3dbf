import { HOUR, MINUTE } from '../../../domain/durations.ts'

/** Maximum age of a staff member's sign-in in milliseconds, whatever its use. */
export const OFFICE_SIGN_IN_MAX_MS = 12 * HOUR
/** Idle time in milliseconds after which a staff member is signed out. */
export const OFFICE_IDLE_MS = 30 * MINUTE
/** Idle time in milliseconds after which a staff member with the Finance role is signed out. */
export const FINANCE_IDLE_MS = 15 * MINUTE
