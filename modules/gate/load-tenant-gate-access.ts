/**
 * A tenant's gate access as the office sees it: whether the gate opens, why, and what can be changed. Never includes
 * the code.
 */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadGateFacts } from './gate-facts.ts'
import { loadGateSyncStates, mayStillOpen } from './internal/load-gate-sync-states.ts'
import { accessByCode, type GateOverride } from './rules/gate-access.ts'
import type { GateState } from './rules/tenant-gate-state-types.ts'

/** Returns a hash of a gate state, which fits into a form field however many units a tenant has. */
const hashOf = (state: readonly (readonly unknown[])[]): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('base64url')

/** Loads a tenant's gate state; null without an open lease at the facility. Units sold at auction do not count. */
export async function loadTenantGateAccess(
  db: Kysely<Tables>,
  tenant: { locationCode: string; tenantId: number },
  now: Instant,
): Promise<GateState | null> {
  const tenantKey = { location_code: tenant.locationCode, tenant_id: tenant.tenantId }
  const facts = await loadGateFacts(db, tenantKey, now)
  const leases = facts.leases.filter((lease) => lease.winnersCode === null)
  if (leases.length === 0) return null
  const leaseCodes = new Set(leases.map((lease) => lease.code))
  const codes = accessByCode(facts, now).filter((code) => leaseCodes.has(code.code))
  const { states, opensEarlierCode } = await loadGateSyncStates(db, tenantKey, codes, now)
  const override = (kind: GateOverride['kind'], lease: number | null) =>
    facts.overrides.findLast((override) => override.kind === kind && override.leaseNumber === lease) ?? null
  const units = leases.map((lease) => ({
    leaseNumber: lease.leaseNumber,
    unitNumber: lease.unit,
    overlocked: lease.overlocked,
    lifted: override('lifted', lease.leaseNumber),
  }))
  return {
    opens: codes.length > 0 && codes.every((code) => code.opens),
    codes: codes.map(({ code, opens, refused, hours, units, overlocked }) => ({
      opens,
      refused,
      hours,
      units,
      overlocked,
      taken: states.get(code) ?? 'unconnected',
    })),
    stillOpens: opensEarlierCode || codes.some(({ code, opens }) => !opens && mayStillOpen({ states }, code)),
    units,
    suspended: override('suspended', null),
    mark: hashOf([
      codes.map((code) => code.since).sort(),
      units.map((unit) => `${unit.leaseNumber}${unit.overlocked ? 'o' : ''}`),
      facts.overrides.map((override) => override.overrideId),
    ]),
  }
}
