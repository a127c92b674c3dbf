/** Temporary gate overrides by the office: a suspended gate code, or a lifted overlock. */
import { type ExpressionBuilder, expressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { GateOverridesTable, Tables } from '../../platform/schema/tables.ts'

export type GateOverride = Selectable<GateOverridesTable>

/** Returns the condition that an override is in force: not ended early and not expired. */
export const isOverrideInForce = (now: Instant) => (eb: ExpressionBuilder<Tables, 'gate_overrides'>) =>
  eb.and([eb('ended_at', 'is', null), eb('holds_until', '>', now)])

/** Returns a facility's or a tenant's overrides in force. */
export const loadOverridesInForce = (
  db: Kysely<Tables>,
  scope: { location_code: string; tenant_id?: number },
  now: Instant,
): Promise<GateOverride[]> =>
  db
    .selectFrom('gate_overrides')
    .selectAll()
    .where('location_code', '=', scope.location_code)
    .$call(optionalCondition(scope.tenant_id, (query, tenantId) => query.where('tenant_id', '=', tenantId)))
    .where(isOverrideInForce(now))
    .orderBy('created_at')
    .orderBy('override_id')
    .execute()

/** Returns the condition that the overlock of a queried lease is lifted now. */
export const isOverlockLifted = (now: Instant) => {
  const eb = expressionBuilder<Tables>()
  return eb.exists(
    eb
      .selectFrom('gate_overrides')
      .select('override_id')
      .where('gate_overrides.location_code', '=', sql.ref<string>('leases.location_code'))
      .where('gate_overrides.tenant_id', '=', sql.ref<number>('leases.tenant_id'))
      .where('gate_overrides.lease_number', '=', sql.ref<number>('leases.lease_number'))
      .where('kind', '=', 'lifted')
      .where(isOverrideInForce(now)),
  )
}

/**
 * Ends a tenant's overrides of one kind that are in force: those of a lease, or those of all the tenant's codes where
 * `leaseNumber` is null. Runs in the caller's transaction.
 * @returns the number of ended overrides
 */
export async function endOverrides(
  tx: Kysely<Tables>,
  target: { locationCode: string; tenantId: number; leaseNumber: number | null; kind: GateOverride['kind'] },
  now: Instant,
): Promise<number> {
  const endedRows = await tx
    .updateTable('gate_overrides')
    .set({ ended_at: now })
    .where((eb) => eb.and({ location_code: target.locationCode, tenant_id: target.tenantId }))
    .where('lease_number', target.leaseNumber === null ? 'is' : '=', target.leaseNumber)
    .where('kind', '=', target.kind)
    .where(isOverrideInForce(now))
    .returning('override_id')
    .execute()
  return endedRows.length
}

/**
 * Sets an override and ends the override of the same kind that is in force for the same lease, or for all the tenant's
 * codes. Runs in the caller's transaction.
 */
export async function setOverride(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  target: Parameters<typeof endOverrides>[1] & { until: Instant; reason: string; staffId: string },
): Promise<void> {
  const now = services.clock.now()
  await endOverrides(tx, target, now)
  await tx
    .insertInto('gate_overrides')
    .values({
      override_id: services.random.uuid(),
      location_code: target.locationCode,
      tenant_id: target.tenantId,
      lease_number: target.leaseNumber,
      kind: target.kind,
      holds_until: target.until,
      reason: target.reason,
      staff_id: target.staffId,
      created_at: now,
      ended_at: null,
    })
    .execute()
}
