import { DAY } from '../../../domain/durations.ts'

/** Validity of a staff member's invitation, in milliseconds. */
export const INVITATION_MS = 7 * DAY
