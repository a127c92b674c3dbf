import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { connectedWeek } from './gates.ts'
import { type CodeAccess, type GateSyncState, gateSyncState } from './rules/gate-access.ts'
import type { GateWeek } from './rules/gate-hours.ts'

/**
 * Returns the hours that a gate follows, and whether it has each code of a tenant as the books say it, by code. One
 * statement.
 * @param access what the books say
 */
export async function loadGateSyncStates(
  db: Kysely<Tables>,
  of: { location_code: string; tenant_id: number },
  access: readonly Pick<CodeAccess, 'code' | 'opens' | 'hours'>[],
  now: Instant,
): Promise<{ week: GateWeek | null; states: Map<string, GateSyncState> }> {
  const rows = await db
    .selectFrom('gates')
    .leftJoin('gate_wanted', (join) =>
      join
        .onRef('gate_wanted.location_code', '=', 'gates.location_code')
        .on('gate_wanted.tenant_id', '=', of.tenant_id)
        .on('gate_wanted.gone', '=', sql.lit(0)),
    )
    .select(['gates.kind', 'gates.week', 'gates.applied_version', 'gates.heard_at'])
    .select(['gate_code', 'opens', 'hours', 'gate_wanted.version', 'gate_wanted.changed_at', 'refused'])
    .where('gates.location_code', '=', of.location_code)
    .execute()
  const [first] = rows
  const gate = first ? { kind: first.kind, appliedVersion: first.applied_version, heardAt: first.heard_at } : null
  const states = new Map(
    access.map(({ code, opens, hours }) => {
      const row = rows.find((row) => row.gate_code === code)
      const listed = row && {
        version: row.version ?? 0,
        changedAt: row.changed_at ?? 0,
        isCurrent: (row.opens === 1) === opens && row.hours === hours,
        refused: row.refused,
      }
      return [code, gateSyncState(gate, listed ?? null, now)]
    }),
  )
  return { week: connectedWeek(first), states }
}
