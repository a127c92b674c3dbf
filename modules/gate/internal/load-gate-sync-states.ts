import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { winnerOfListedCode } from '../../links/paid-auction-winners.ts'
import { type CodeAccess, type GateSyncState, gateSyncState } from '../rules/gate-access.ts'
import type { GateWeek } from '../rules/gate-hours.ts'
import { connectedWeek, connectedZone } from '../rules/hours-acknowledged-by-gate.ts'

export interface GateSync {
  /** Hours that the gate follows; null if no gate is connected or its hours were not confirmed. */
  week: GateWeek | null
  /** Time zone by which the gate follows its hours; null if no gate is connected. */
  zone: string | null
  /** Whether the gate has each code as our records require, by gate code. */
  states: Map<string, GateSyncState>
  /** Whether the gate may still open for an earlier code of the tenant. Codes of auction winners do not count. */
  opensEarlierCode: boolean
}

/**
 * Returns whether a gate may still open for a code that should be refused, because the gate has not acknowledged the
 * change.
 */
export const mayStillOpen = ({ states }: Pick<GateSync, 'states'>, code: string): boolean =>
  ['coming', 'late', 'refused'].includes(states.get(code) ?? '')

/**
 * Loads the hours that a gate follows, and for each of a tenant's codes whether the gate has it as our records require.
 * Uses one statement.
 * @param access what our records require for each code
 */
export async function loadGateSyncStates(
  db: Kysely<Tables>,
  tenant: { location_code: string; tenant_id: number },
  access: readonly Pick<CodeAccess, 'code' | 'opens' | 'hours'>[],
  now: Instant,
): Promise<GateSync> {
  const rows = await db
    .selectFrom('gates')
    .leftJoin('gate_wanted', (join) =>
      join
        .onRef('gate_wanted.location_code', '=', 'gates.location_code')
        .on('gate_wanted.tenant_id', '=', tenant.tenant_id)
        .on((eb) =>
          eb.or([
            eb('gate_wanted.gone', '=', sql.lit(0)),
            eb('gate_wanted.version', '>', eb.ref('gates.applied_version')),
          ]),
        ),
    )
    .select(['gates.kind', 'gates.week', 'gates.zone', 'gates.applied_version', 'gates.applied_at', 'gates.heard_at'])
    .select(['gates.connected_at', 'gates.epoch_at', 'gates.first_heard_at'])
    .select(['gates.week_version', 'gates.applied_week', 'gates.applied_zone'])
    .select(['gate_code', 'opens', 'hours', 'gate_wanted.version', 'gate_wanted.changed_at', 'refused'])
    .select(['gone', 'applied_opens', winnerOfListedCode(db).limit(1).as('winner')])
    .where('gates.location_code', '=', tenant.location_code)
    .execute()
  const [first] = rows
  const gate = first
    ? {
        kind: first.kind,
        appliedVersion: first.applied_version,
        connectedAt: first.connected_at,
        epochAt: first.epoch_at,
        firstHeardAt: first.first_heard_at,
        heardAt: first.heard_at,
      }
    : null
  const states = new Map(
    access.map(({ code, opens, hours }) => {
      const row = rows.find((row) => row.gate_code === code && row.gone === 0)
      const opensAtGate =
        row && (row.version ?? 0) > (gate?.appliedVersion ?? 0) ? row.applied_opens : (row?.opens ?? null)
      const listed = row && {
        version: row.version ?? 0,
        changedAt: row.changed_at ?? 0,
        isCurrent: (row.opens === 1) === opens && row.hours === hours,
        refused: row.refused,
        // A code that no acknowledged list names does not open; without an acknowledgement the list is unknown.
        isClosedAtGate: !opens && (opensAtGate === 0 || (opensAtGate === null && first?.applied_at !== null)),
      }
      return [code, gateSyncState(gate, listed ?? null, now)]
    }),
  )
  const opensEarlierCode =
    gate?.kind !== 'none' && rows.some((row) => row.gone === 1 && row.applied_opens === 1 && row.winner === null)
  return { week: connectedWeek(first), zone: connectedZone(first), states, opensEarlierCode }
}
