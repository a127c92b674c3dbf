import { DAY } from '../../../domain/durations.ts'

/** Retention of gate events, remote openings and codes that left a gate's list, in milliseconds. */
export const GATE_EVENT_RETENTION_MS = 180 * DAY
