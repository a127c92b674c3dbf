/**
 * Decides which gate codes of a facility open. The list for the gate, the tenant's pages, the office and the mails all
 * take this rule.
 */
import type { Instant } from './dates.ts'

/** A gate code that is active at the facility. */
export interface LiveCode {
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
  /** Gate code that the lease goes by; '' without one. */
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
  codes: readonly LiveCode[]
  leases: readonly OpenLease[]
  /** Not ended by hand, oldest first. */
  overrides: readonly GateOverride[]
}

export interface CodeAccess extends LiveCode {
  opens: boolean
  /** Why the code does not open; null where it does. */
  refused: 'no lease' | 'suspended' | 'overlocked' | null
  /** Numbers of the units that the code is for, sorted; empty once all are moved out of. */
  units: string[]
  /** Overlocked units because of which the code is refused; without lifted ones. */
  overlocked: string[]
}

const byNumber = new Intl.Collator('en-US', { numeric: true })
const sorted = (leases: readonly OpenLease[]): string[] => leases.map((one) => one.unit).sort(byNumber.compare)

const inForce = (facts: GateFacts, now: Instant) => facts.overrides.filter((one) => one.until > now)

/** Returns the overlocked leases whose overlock the office has not lifted. */
export function lockedLeases(facts: GateFacts, now: Instant): number[] {
  const lifted = new Set(
    inForce(facts, now).flatMap((one) => (one.kind === 'lifted' && one.leaseNumber !== null ? [one.leaseNumber] : [])),
  )
  return facts.leases.flatMap((one) => (one.overlocked && !lifted.has(one.leaseNumber) ? [one.leaseNumber] : []))
}

/**
 * Returns whether each code opens, sorted by code. A code opens for the units that go by it: it is refused while one of
 * these is overlocked, while its tenant is suspended, and without an open lease. A unit that was sold at auction counts
 * for its winner's code alone.
 */
export function accessByCode(facts: GateFacts, now: Instant): CodeAccess[] {
  const locked = new Set(lockedLeases(facts, now))
  const suspended = new Set(inForce(facts, now).flatMap((one) => (one.kind === 'suspended' ? [one.tenantId] : [])))
  const key = (of: { tenantId: number; code: string }) => `${of.tenantId} ${of.code}`
  const given = Map.groupBy(
    facts.leases.filter((one) => one.winnersCode === null),
    key,
  )
  const won = Map.groupBy(facts.leases, (one) => one.winnersCode ?? '')
  const accessOf = (live: LiveCode): CodeAccess => {
    const sold = live.code === '' ? [] : (won.get(live.code) ?? [])
    if (sold.length > 0) return { ...live, opens: true, refused: null, units: sorted(sold), overlocked: [] }
    const leases = given.get(key(live)) ?? []
    const overlocked = sorted(leases.filter((one) => locked.has(one.leaseNumber)))
    const refused =
      leases.length === 0
        ? 'no lease'
        : suspended.has(live.tenantId)
          ? 'suspended'
          : overlocked.length > 0
            ? 'overlocked'
            : null
    return { ...live, opens: refused === null, refused, units: sorted(leases), overlocked }
  }
  return facts.codes.map(accessOf).sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** Whether the gate opens for a lease, and if not, why. */
export type LeaseAccess =
  | { is: 'ended' | 'none' | 'inactive' | 'sold' }
  | { is: 'suspended'; until: Instant }
  /** `units`: overlocked units of the same code; `own`: whether the lease's own unit is one of them. */
  | { is: 'overlocked'; units: string[]; own: boolean }
  | { is: 'opens'; hours: LiveCode['hours']; liftedUntil: Instant | null }

/** Returns whether the gate opens for each open lease, by lease number. */
export function accessByLease(facts: GateFacts, now: Instant): Map<number, LeaseAccess> {
  const codes = accessByCode(facts, now)
  const locked = lockedLeases(facts, now)
  const endOf = (kind: GateOverride['kind'], tenantId: number, leaseNumber: number | null) =>
    inForce(facts, now).findLast(
      (one) => one.kind === kind && one.tenantId === tenantId && one.leaseNumber === leaseNumber,
    )?.until ?? null
  const accessOf = (lease: OpenLease): LeaseAccess => {
    if (lease.winnersCode !== null) return { is: 'sold' }
    if (lease.code === '') return { is: 'none' }
    const code = codes.find((one) => one.code === lease.code && one.tenantId === lease.tenantId)
    if (!code) return { is: 'inactive' }
    if (code.refused === 'suspended') return { is: 'suspended', until: endOf('suspended', lease.tenantId, null) ?? now }
    if (code.refused === 'overlocked')
      return { is: 'overlocked', units: code.overlocked, own: locked.includes(lease.leaseNumber) }
    return { is: 'opens', hours: code.hours, liftedUntil: endOf('lifted', lease.tenantId, lease.leaseNumber) }
  }
  return new Map(facts.leases.map((lease) => [lease.leaseNumber, accessOf(lease)]))
}

/** Returns when the answer next changes by itself, at the end of an override; null if it does not. */
export function nextGateChange(facts: GateFacts, now: Instant): Instant | null {
  const ends = inForce(facts, now).map((one) => one.until)
  return ends.length === 0 ? null : Math.min(...ends)
}
