import { MINUTE } from '../../../domain/durations.ts'

/** Highest code of a password reset (spec 2 §9). Codes have four digits with leading zeros, from 0000 to 9998. */
const RESET_CODE_HIGHEST = 9998
export const RESET_CODE_MS = 15 * MINUTE
export const RESET_CODE_MAX_ATTEMPTS = 5
/** Delay before the confirmation of a reset redirects to the log-in, milliseconds. */
export const RESET_REDIRECT_MS = 2000

/**
 * Generates a reset code as mailed and typed.
 * @param randomInteger returns a whole number from low to high, both included
 */
export function generateResetCode(randomInteger: (low: number, high: number) => number): string {
  return String(randomInteger(0, RESET_CODE_HIGHEST)).padStart(4, '0')
}
