import { MINUTE } from '../../../domain/durations.ts'

/** Time in milliseconds after its start for which an appointment can be confirmed (spec 2 §9). */
export const APPOINTMENT_GRACE_MS = 15 * MINUTE

/** Sentence of a confirmed appointment. */
export const waitsForLateVisitor = `Should you be late, we wait for ${APPOINTMENT_GRACE_MS / MINUTE} minutes.`
