import { MINUTE } from '../../../domain/durations.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'

/**
 * Time in milliseconds after which a change that the gate has not acknowledged is late. It is late sooner if the gate's
 * last contact is older than `GATE_CONTACT_MAX_MS`.
 */
const GATE_PENDING_MAX_MS = MINUTE
/** Age in milliseconds of a gate's last contact above which every change that it has not acknowledged is late. */
const GATE_CONTACT_MAX_MS = 1.5 * MINUTE
/** Time in milliseconds without contact after which staff get a task about a gate. */
export const GATE_OFFLINE_AFTER_MS = 10 * MINUTE
/**
 * Minimum time in milliseconds between two epochs of a gate's code list that its contacts start, so that a controller's
 * wrong acknowledgement does not start one at each contact.
 */
export const GATE_EPOCH_MIN_MS = MINUTE
/**
 * Minimum time in milliseconds between two epochs that a gate's contacts start, while the gate has acknowledged nothing
 * of the current one. It exceeds `GATE_PENDING_MAX_MS`, so that a controller that acknowledges only wrong versions
 * becomes overdue.
 */
export const GATE_EPOCH_UNHEARD_MIN_MS = 60 * MINUTE
/**
 * Time in milliseconds after a gate's last contact in which a version below the acknowledged one counts as a delayed
 * request, not as a restored list. A change made within this time after the contact may have reached the gate without an
 * acknowledgement (`mayHaveUntil`).
 */
export const GATE_DELAYED_MAX_MS = MINUTE / 2

/**
 * Times of a connected gate's contacts with the site, which decide whether the gate is offline or its acknowledgement
 * is overdue.
 */
export interface GateContacts {
  connectedAt: Instant
  /** When the gate's epoch began, in which the gate has to acknowledge every code again. */
  epochAt: Instant
  firstHeardAt: Instant | null
  heardAt: Instant | null
}

/**
 * Returns whether a gate should have acknowledged a change of its code list by now, or has been out of contact for too
 * long.
 */
export function isOverdue(gate: GateContacts, changedAt: Instant, now: Instant): boolean {
  const since = Math.max(changedAt, gate.epochAt, gate.firstHeardAt ?? 0)
  return since < now - GATE_PENDING_MAX_MS || (gate.heardAt ?? gate.connectedAt) < now - GATE_CONTACT_MAX_MS
}
