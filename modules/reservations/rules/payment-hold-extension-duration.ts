import { HOUR } from '../../../domain/durations.ts'

/** Extension of a lapsed hold whose payment begins or is in progress, in milliseconds. */
export const PAYMENT_GRACE_MS = HOUR
