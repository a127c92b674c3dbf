import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { isOverrideInForce } from './gate-overrides.ts'
import type { ActiveGateCode, GateFacts, GateOverride } from './rules/gate-access.ts'

/**
 * Loads what decides the gate access at a facility, or of one of its tenants: active codes, open leases with the codes
 * of auction winners who have paid, and overrides in force. Uses one statement.
 */
export async function loadGateFacts(
  db: Kysely<Tables>,
  scope: { location_code: string; tenant_id?: number },
  now: Instant,
): Promise<GateFacts> {
  // The rows share columns: `detail` is the hours, reason or unit; `reference` the override's id or the winner's code.
  // PostgreSQL needs the types of nulls in a union.
  const noValue = { number: sql<number | null>`cast(null as bigint)`, text: sql<string | null>`cast(null as text)` }
  const rows = await db
    .selectFrom('gate_codes')
    .select([
      sql<string>`'code'`.as('row_kind'),
      'tenant_id',
      'gate_code as code',
      sql<string>`time_zone_name`.as('detail'),
    ])
    .select([noValue.number.as('lease_number'), sql<number>`0`.as('overlocked'), noValue.number.as('until')])
    .select([sql<number>`created_at`.as('since'), noValue.text.as('reference')])
    .where('location_code', '=', scope.location_code)
    .$call(optionalCondition(scope.tenant_id, (query, tenantId) => query.where('tenant_id', '=', tenantId)))
    .where('active', '=', 1)
    .unionAll(
      db
        .selectFrom('gate_overrides')
        .select([sql<string>`kind`.as('row_kind'), 'tenant_id', sql<string>`''`.as('code'), 'reason as detail'])
        .select(['lease_number', sql<number>`0`.as('overlocked'), sql<number | null>`holds_until`.as('until')])
        .select(['created_at as since', sql<string | null>`override_id`.as('reference')])
        .where('location_code', '=', scope.location_code)
        .$call(optionalCondition(scope.tenant_id, (query, tenantId) => query.where('tenant_id', '=', tenantId)))
        .where(isOverrideInForce(now)),
    )
    .unionAll(
      db
        .selectFrom('leases')
        .select([sql<string>`'lease'`.as('row_kind'), 'tenant_id', 'gate_code as code', 'unit_number as detail'])
        .select([
          sql<number | null>`lease_number`.as('lease_number'),
          sql<number>`coalesce(overlocked, 0)`.as('overlocked'),
        ])
        .select([noValue.number.as('until'), sql<number>`0`.as('since')])
        .select((eb) =>
          eb
            .selectFrom('auction_winners')
            .select(sql<string | null>`auction_winners.gate_code`.as('gate_code'))
            .where('auction_winners.location_code', '=', sql.ref<string>('leases.location_code'))
            .where('auction_winners.lease_number', '=', sql.ref<number>('leases.lease_number'))
            .where('auction_winners.state', '=', 'paid')
            .limit(1)
            .as('reference'),
        )
        .where('location_code', '=', scope.location_code)
        .$call(optionalCondition(scope.tenant_id, (query, tenantId) => query.where('tenant_id', '=', tenantId)))
        .where('status', '!=', 'Closed'),
    )
    .execute()
  const rowsOf = (kind: string) => rows.filter((row) => row.row_kind === kind)
  const overrides = (['suspended', 'lifted'] as const).flatMap((kind) =>
    rowsOf(kind).map((row) => ({ since: row.since, override: overrideOf(kind, row) })),
  )
  return {
    codes: rowsOf('code').map((row) => ({
      code: row.code,
      tenantId: row.tenant_id,
      hours: row.detail as ActiveGateCode['hours'],
      since: row.since,
    })),
    leases: rowsOf('lease')
      .map((row) => ({
        leaseNumber: row.lease_number as number,
        tenantId: row.tenant_id,
        unit: row.detail,
        code: row.code,
        overlocked: row.overlocked === 1,
        winnersCode: row.reference,
      }))
      .sort((a, b) => a.leaseNumber - b.leaseNumber),
    overrides: overrides
      .sort((a, b) => a.since - b.since || (a.override.overrideId < b.override.overrideId ? -1 : 1))
      .map(({ override }) => override),
  }
}

const overrideOf = (
  kind: GateOverride['kind'],
  row: {
    tenant_id: number
    detail: string
    lease_number: number | null
    until: number | null
    reference: string | null
  },
): GateOverride => ({
  overrideId: row.reference ?? '',
  tenantId: row.tenant_id,
  leaseNumber: row.lease_number,
  kind,
  until: row.until ?? 0,
  reason: row.detail,
})
