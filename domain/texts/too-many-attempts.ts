/**
 * Returns the message for too many attempts.
 * @param seconds time until the next attempt is allowed
 */
export const tooManyTries = (seconds: number) => `Too many tries. Please try again in ${waitInWords(seconds)}.`

/**
 * Formats a waiting time, rounded up so that the next attempt is not too early: '1 minute', '12 minutes', '3 hours'.
 */
function waitInWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const hours = Math.ceil(minutes / 60)
  if (minutes <= 90) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `${hours} hours`
}
