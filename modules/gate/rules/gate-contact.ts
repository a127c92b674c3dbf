import type { Instant } from '../../../domain/dates.ts'
import { MINUTE } from '../../../domain/durations.ts'

/** Maximum age of a change, and of the gate's last contact, for a code to count as coming. */
export const GATE_PENDING_MAX_MS = MINUTE
export const GATE_CONTACT_MAX_MS = 1.5 * MINUTE
/** Silence after which a gate becomes a task for staff. */
export const GATE_OFFLINE_AFTER_MS = 10 * MINUTE
/** Shortest time between two epochs that contacts begin, so that a wrong acknowledgement does not renew the list each time. */
export const GATE_EPOCH_MIN_MS = MINUTE
/** The same where nothing of the present epoch was acknowledged: a controller that names wrong versions must become late. */
export const GATE_EPOCH_UNHEARD_MIN_MS = 60 * MINUTE
/** Time during which a version below the acknowledged one counts as a delayed request, not as a restored list. */
export const GATE_DELAYED_MAX_MS = MINUTE / 2

/** What is known of a connected gate's contacts. */
export interface GateContacts {
  connectedAt: Instant
  /** When its epoch began, in which it has to acknowledge every code again. */
  epochAt: Instant
  firstHeardAt: Instant | null
  heardAt: Instant | null
}

/** Returns whether a gate should have acknowledged a change by now. */
export function isOverdue(gate: GateContacts, changedAt: Instant, now: Instant): boolean {
  const since = Math.max(changedAt, gate.epochAt, gate.firstHeardAt ?? 0)
  return since < now - GATE_PENDING_MAX_MS || (gate.heardAt ?? gate.connectedAt) < now - GATE_CONTACT_MAX_MS
}
