import type { CodeAccess, GateOverride, GateSyncState } from './gate-access.ts'

/** Facts about a tenant's unit on which gate access depends. */
export interface GateUnit {
  leaseNumber: number
  unitNumber: string
  overlocked: boolean
  /** Override that lifts the unit's overlock; null without one. */
  lifted: GateOverride | null
}

/** A tenant's gate access as the office sees it. */
export interface GateState {
  /** Whether `codes` is not empty and all of them open. */
  opens: boolean
  /** Active codes of the tenant's leases, without digits. `taken`: whether the gate has each as our records require. */
  codes: (Pick<CodeAccess, 'opens' | 'refused' | 'hours' | 'units' | 'overlocked'> & { taken: GateSyncState })[]
  /** Whether a closed or earlier code may still open the gate, which has not acknowledged the change yet. */
  stillOpens: boolean
  units: GateUnit[]
  /** Override that suspends all the tenant's codes; null without one. */
  suspended: GateOverride | null
  /** Identifies this state, so that a form made from an older one is refused. */
  mark: string
}
