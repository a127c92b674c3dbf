import { DAY, MINUTE } from '../../../domain/durations.ts'

/** Time in milliseconds after its start for which an appointment can be confirmed (spec 2 §9). */
export const APPOINTMENT_GRACE_MS = 15 * MINUTE

/** Time in milliseconds before the start of an appointment at which its reminder is sent (spec 2 §9). */
export const APPOINTMENT_REMINDER_MS = DAY

/** Sentence on the page of a confirmed appointment that says how long the property manager waits. */
export const waitsForLateVisitor = `Should you be late, we wait for ${APPOINTMENT_GRACE_MS / MINUTE} minutes.`
