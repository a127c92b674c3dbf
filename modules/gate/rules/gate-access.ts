/** Decides which gate codes of a facility open, and whether a gate's list and the gate itself agree with that. */
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import { type GateContacts, isOverdue } from './gate-contact-timeouts.ts'

/** Kinds of connection at a gate. 'none' is stored only where staff chose it in Setup. */
const gateKinds = ['none', 'pull', 'push'] as const
export type GateKind = (typeof gateKinds)[number]

/** Kinds of events that a gate reports. */
export const gateEventKinds = ['opened', 'refused', 'forced', 'held_open', 'fault'] as const
export type GateEventKind = (typeof gateEventKinds)[number]

/** A gate code that is active at the facility. */
export interface ActiveGateCode {
  code: string
  tenantId: number
  /** Hours of the code; 'standard' means the facility's gate hours. */
  hours: 'standard' | '24-hour'
  /** When the code was activated. */
  since: Instant
}

/** A lease that has not ended. */
export interface OpenLease {
  leaseNumber: number
  tenantId: number
  unit: string
  /** Gate code of the lease; '' without one. */
  code: string
  overlocked: boolean
  /** Code of the auction winner who has paid for the unit; null while the unit is its tenant's. */
  winnersCode: string | null
}

export interface GateOverride {
  overrideId: string
  tenantId: number
  /** The lease whose overlock is lifted; null where all codes of the tenant are suspended. */
  leaseNumber: number | null
  kind: 'suspended' | 'lifted'
  until: Instant
  reason: string
}

export interface GateFacts {
  codes: readonly ActiveGateCode[]
  leases: readonly OpenLease[]
  /** Overrides that staff have not ended early, oldest first. */
  overrides: readonly GateOverride[]
}

export interface CodeAccess extends ActiveGateCode {
  opens: boolean
  /** Why the code does not open; null where it does. */
  refused: 'no lease' | 'suspended' | 'overlocked' | null
  /** Numbers of the units that the code is for, sorted; empty where no open lease has the code. */
  units: string[]
  /** Numbers of the code's overlocked units, without those whose overlock is lifted; any of them closes the code. */
  overlocked: string[]
}

const sortedUnits = (leases: readonly OpenLease[]): string[] =>
  leases.map((lease) => lease.unit).sort(compareUnitNumbers)

const inForce = (facts: GateFacts, now: Instant) => facts.overrides.filter((override) => override.until > now)

/** Returns the numbers of the overlocked leases whose overlock the office has not lifted. */
export function overlockedLeases(facts: GateFacts, now: Instant): number[] {
  const lifted = new Set(
    inForce(facts, now).flatMap((override) =>
      override.kind === 'lifted' && override.leaseNumber !== null ? [override.leaseNumber] : [],
    ),
  )
  return facts.leases.flatMap((lease) =>
    lease.overlocked && !lifted.has(lease.leaseNumber) ? [lease.leaseNumber] : [],
  )
}

/**
 * Returns whether each code opens, sorted by code. A code opens for the units that use it: it is refused while one of
 * these is overlocked, while its tenant is suspended, and without an open lease. A unit that was sold at auction counts
 * for its winner's code alone, which opens in spite of overlock and suspension.
 */
export function accessByCode(facts: GateFacts, now: Instant): CodeAccess[] {
  const locked = new Set(overlockedLeases(facts, now))
  const suspended = new Set(
    inForce(facts, now).flatMap((override) => (override.kind === 'suspended' ? [override.tenantId] : [])),
  )
  const key = (holder: { tenantId: number; code: string }) => `${holder.tenantId} ${holder.code}`
  const leasesByCode = Map.groupBy(
    facts.leases.filter((lease) => lease.winnersCode === null),
    key,
  )
  const leasesByWinnersCode = Map.groupBy(facts.leases, (lease) => lease.winnersCode ?? '')
  const accessOf = (code: ActiveGateCode): CodeAccess => {
    const soldLeases = code.code === '' ? [] : (leasesByWinnersCode.get(code.code) ?? [])
    if (soldLeases.length > 0)
      return { ...code, opens: true, refused: null, units: sortedUnits(soldLeases), overlocked: [] }
    const leases = leasesByCode.get(key(code)) ?? []
    const overlocked = sortedUnits(leases.filter((lease) => locked.has(lease.leaseNumber)))
    const refused =
      leases.length === 0
        ? 'no lease'
        : suspended.has(code.tenantId)
          ? 'suspended'
          : overlocked.length > 0
            ? 'overlocked'
            : null
    return { ...code, opens: refused === null, refused, units: sortedUnits(leases), overlocked }
  }
  return facts.codes.map(accessOf).sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** Whether the gate opens for a lease, and if not, why. */
export type LeaseAccess =
  /** 'none': the lease has no code; 'inactive': its code is not active; 'sold': the unit is an auction winner's. */
  | { is: 'none' | 'inactive' | 'sold' }
  | { is: 'suspended'; until: Instant }
  /** `units`: overlocked units of the same code; `own`: whether the lease's own unit is one of them. */
  | { is: 'overlocked'; units: string[]; own: boolean }
  | { is: 'opens'; hours: ActiveGateCode['hours']; liftedUntil: Instant | null }

/** Returns whether the gate opens for each open lease, by lease number. */
export function accessByLease(facts: GateFacts, now: Instant): Map<number, LeaseAccess> {
  const codes = accessByCode(facts, now)
  const locked = overlockedLeases(facts, now)
  const endOf = (kind: GateOverride['kind'], tenantId: number, leaseNumber: number | null) =>
    inForce(facts, now).findLast(
      (override) => override.kind === kind && override.tenantId === tenantId && override.leaseNumber === leaseNumber,
    )?.until ?? null
  const accessOf = (lease: OpenLease): LeaseAccess => {
    if (lease.winnersCode !== null) return { is: 'sold' }
    if (lease.code === '') return { is: 'none' }
    const code = codes.find((code) => code.code === lease.code && code.tenantId === lease.tenantId)
    if (!code) return { is: 'inactive' }
    if (code.refused === 'suspended') return { is: 'suspended', until: endOf('suspended', lease.tenantId, null) ?? now }
    if (code.refused === 'overlocked')
      return { is: 'overlocked', units: code.overlocked, own: locked.includes(lease.leaseNumber) }
    return { is: 'opens', hours: code.hours, liftedUntil: endOf('lifted', lease.tenantId, lease.leaseNumber) }
  }
  return new Map(facts.leases.map((lease) => [lease.leaseNumber, accessOf(lease)]))
}

/**
 * Returns when access at the gate next changes by itself, at the end of an override; null if no override is in force.
 */
export function nextGateChange(facts: GateFacts, now: Instant): Instant | null {
  const ends = inForce(facts, now).map((override) => override.until)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Code on a gate's list (a row of `gate_wanted`), with the access that the gate should give it. */
export interface ListedGateCode {
  codeId: string
  code: string
  tenantId: number
  opens: boolean
  hours: ActiveGateCode['hours']
  units: readonly string[]
}

/**
 * Compares a gate's list with the access that leases and overrides give now.
 * @returns the codes to add to the list and to change, and the ids of codes to remove
 */
export function diffGateCodes(
  listed: readonly ListedGateCode[],
  access: readonly CodeAccess[],
): { added: CodeAccess[]; changed: { codeId: string; to: CodeAccess }[]; gone: string[] } {
  const byCode = new Map(listed.map((code) => [code.code, code]))
  const listedIds = new Set<string>()
  const added: CodeAccess[] = []
  const changed: { codeId: string; to: CodeAccess }[] = []
  for (const to of access) {
    const row = byCode.get(to.code)
    // A code that another tenant has now is listed as a new code, so that the first tenant's events stay theirs.
    if (row?.tenantId !== to.tenantId) {
      added.push(to)
      continue
    }
    listedIds.add(row.codeId)
    const isSame = row.opens === to.opens && row.hours === to.hours && row.units.join('\n') === to.units.join('\n')
    if (!isSame) changed.push({ codeId: row.codeId, to })
  }
  return { added, changed, gone: listed.flatMap((code) => (listedIds.has(code.codeId) ? [] : [code.codeId])) }
}

/**
 * State of a code at the gate, compared with our records. 'unconnected': no gate is connected, so the state is unknown;
 * 'coming': the gate still has time to acknowledge the code; 'taken': the gate has acknowledged it, or does not open for
 * it while our records close it; 'late': the gate should have acknowledged it by now; 'refused': the gate reports that it
 * cannot store this code.
 */
export type GateSyncState = 'unconnected' | 'coming' | 'taken' | 'late' | 'refused'

/**
 * Returns the state of a code at the gate.
 * @param gate null where none is connected
 * @param listed the code's row in the gate's list, null without one; `isCurrent`: whether the row is as our records
 *   require
 */
export function gateSyncState(
  gate: (GateContacts & { kind: GateKind; appliedVersion: number }) | null,
  listed: {
    version: number
    changedAt: Instant
    isCurrent: boolean
    refused: string | null
    /** Whether our records close the code and the list at the gate, of whatever version, does not open for it either. */
    isClosedAtGate: boolean
  } | null,
  now: Instant,
): GateSyncState {
  if (!gate || gate.kind === 'none') return 'unconnected'
  if (listed?.isClosedAtGate) return 'taken'
  if (listed?.refused != null) return 'refused'
  if (listed?.isCurrent && listed.version <= gate.appliedVersion) return 'taken'
  return isOverdue(gate, listed?.isCurrent ? listed.changedAt : now, now) ? 'late' : 'coming'
}
