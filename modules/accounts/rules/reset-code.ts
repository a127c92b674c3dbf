/** The e-mailed code of a password reset: from 0 to 9998, four digits with leading zeros, for 15 minutes and 5 tries. */
export const RESET_CODE_HIGHEST = 9998
export const RESET_CODE_MS = 15 * 60 * 1000
export const RESET_CODE_TRIES = 5
/** Milliseconds until the page that confirms a reset leads to the log-in. */
export const RESET_REDIRECT_MS = 2000

/** Generates the code as mailed and typed. @param randomInteger returns a whole number from low to high, both included */
export function drawResetCode(randomInteger: (low: number, high: number) => number): string {
  return String(randomInteger(0, RESET_CODE_HIGHEST)).padStart(4, '0')
}
