import { MINUTE } from '../../../domain/durations.ts'

/** Maximum age of a change, and of the gate's last contact, for a code to count as coming. */
export const GATE_PENDING_MAX_MS = MINUTE
export const GATE_CONTACT_MAX_MS = 1.5 * MINUTE
/** Silence after which a gate becomes a task for staff. */
export const GATE_OFFLINE_AFTER_MS = 10 * MINUTE
