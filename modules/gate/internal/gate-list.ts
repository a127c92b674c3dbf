/** Reads the list of a gate: its hours, and the codes that it should have. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { GateKind, ListedGateCode } from '../rules/gate-access.ts'
import type { GateWeek } from '../rules/gate-hours.ts'
import { confirmedHoursOf } from '../rules/hours-acknowledged-by-gate.ts'

export type CodeRow = Selectable<Tables['gate_wanted']>

const codeColumns = ['code_id', 'gate_code', 'tenant_id', 'opens', 'hours', 'units'] as const

/**
 * Converts a row of `gate_wanted` (the codes that a gate should have) to a list of its one code; an empty list where an
 * outer join found no row.
 */
function codesOfRow(row: { [column in (typeof codeColumns)[number]]: CodeRow[column] | null }): ListedGateCode[] {
  const { code_id, gate_code, tenant_id, opens, hours, units } = row
  if (code_id === null || gate_code === null || tenant_id === null || hours === null || units === null) return []
  return [
    {
      codeId: code_id,
      code: gate_code,
      tenantId: tenant_id,
      opens: opens === 1,
      hours,
      units: parseJson(units, isTextList),
    },
  ]
}

export async function loadListedCodes(db: Kysely<Tables>, locationCode: string): Promise<ListedGateCode[]> {
  const rows = await db
    .selectFrom('gate_wanted')
    .select(codeColumns)
    .where('location_code', '=', locationCode)
    .where('gone', '=', 0)
    .execute()
  return rows.flatMap(codesOfRow)
}

/** Code list of a gate, read in one statement, so that its codes belong to its version. */
export interface GateList {
  kind: GateKind
  epoch: string
  version: number
  zone: string
  /** Confirmed hours; null where they were not confirmed. */
  week: GateWeek | null
  codes: ListedGateCode[]
}

/** Loads the list of a facility's gate; null where no kind of connection was saved for the facility. */
export async function loadGateList(db: Kysely<Tables>, locationCode: string): Promise<GateList | null> {
  const rows = await db
    .selectFrom('gates')
    .leftJoin('gate_wanted', (join) =>
      join.onRef('gate_wanted.location_code', '=', 'gates.location_code').on('gate_wanted.gone', '=', sql.lit(0)),
    )
    .select(['gates.kind', 'gates.epoch', 'gates.version', 'gates.zone', 'gates.week'])
    .select(codeColumns)
    .where('gates.location_code', '=', locationCode)
    .orderBy('gate_code')
    .execute()
  const [first] = rows
  if (!first) return null
  return {
    kind: first.kind,
    epoch: first.epoch,
    version: first.version,
    zone: first.zone,
    week: confirmedHoursOf(first),
    codes: rows.flatMap(codesOfRow),
  }
}
