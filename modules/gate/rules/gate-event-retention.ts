import { DAY } from '../../../domain/durations.ts'

/** Retention of gate events. */
export const GATE_EVENT_RETENTION_MS = 180 * DAY
