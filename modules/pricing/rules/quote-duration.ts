import { MINUTE } from '../../../domain/durations.ts'

/** Time in milliseconds for which a displayed price may be accepted, in a rental and in a checkout. */
export const QUOTE_MS = 30 * MINUTE
