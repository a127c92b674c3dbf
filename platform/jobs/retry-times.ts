/** Number of attempts of a failing job, and the waits between them. */
import { HOUR } from '../../domain/durations.ts'

/** Attempts after which a failing job becomes dead; the last is about three hours after the first. */
export const MAX_ATTEMPTS = 10
/**
 * Milliseconds after its first due time at which a failing job of a channel, such as a mail, becomes dead, whatever the
 * number of its attempts.
 */
export const MAX_AGE_MS = 72 * HOUR

/** Wait before the second attempt, in milliseconds, doubled after each failure up to `MAX_WAIT_MS`. */
const FIRST_WAIT_MS = 30_000
const MAX_WAIT_MS = HOUR

/** Returns the wait before the next attempt, in milliseconds, after this number of attempts. */
export const retryWaitOf = (attempts: number): number => Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1))
