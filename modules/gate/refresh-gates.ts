/** Keeps the codes that each gate should have equal to the books. Each change gets a version. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { gateFacts } from './gate-facts.ts'
import { loadListedCodes } from './gate-list.ts'
import { changedHours, type Gate, lockGate, mayHaveUntil } from './gate-rows.ts'
import {
  accessByCode,
  type CodeAccess,
  diffGateCodes,
  type ExpectedGateCode,
  nextGateChange,
} from './rules/gate-access.ts'

/** Maximum number of codes or marks that one statement adds, changes or deletes. */
const BATCH = 500

/**
 * Brings a gate's list of codes in line with the access that leases and overrides give now. Runs in the caller's
 * transaction.
 * @param options.onlyAnnounced changes the list only where a mark or the end of an override announces a change
 * @returns how many codes have changed, and whether a mark or the end of an override had announced it
 */
export async function refreshGate(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  locationCode: string,
  { onlyAnnounced = false } = {},
): Promise<{ changes: number; announced: boolean }> {
  const gate = await lockGate(tx, locationCode)
  // Reads the marks before the facts: a mark committed later may belong to a change that these facts lack.
  const marks = await tx.selectFrom('gate_marks').select('mark').where('location_code', '=', locationCode).execute()
  const now = services.clock.now()
  const announced = marks.length > 0 || (gate?.next_change_at ?? now + 1) <= now
  // Another process has refreshed the gate while this one waited for the row.
  if (onlyAnnounced && !announced) return { changes: 0, announced }
  const changes = gate && gate.kind !== 'none' ? await writeWanted(tx, services, gate, now) : 0
  for (let at = 0; at < marks.length; at += BATCH)
    await tx
      .deleteFrom('gate_marks')
      .where(
        'mark',
        'in',
        marks.slice(at, at + BATCH).map((one) => one.mark),
      )
      .execute()
  return { changes, announced }
}

async function writeWanted(
  tx: Kysely<Tables>,
  services: Pick<Services, 'random'>,
  gate: Gate,
  now: Instant,
): Promise<number> {
  const { location_code } = gate
  const facts = await gateFacts(tx, { location_code }, now)
  const listed = await loadListedCodes(tx, location_code)
  const place = await tx
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', location_code)
    .executeTakeFirst()
  const zone = place?.time_zone ?? gate.zone
  const { added, changed, gone } = diffGateCodes(listed, accessByCode(facts, now))
  const changes = added.length + changed.length + gone.length + (zone === gate.zone ? 0 : 1)
  const next_change_at = nextGateChange(facts, now)
  if (changes === 0) {
    if (next_change_at !== gate.next_change_at)
      await tx.updateTable('gates').set({ next_change_at }).where('location_code', '=', location_code).execute()
    return 0
  }
  const version = gate.version + 1
  const since = { version, changed_at: now }
  await setWanted(tx, gate, gone, { gone: 1, opens: 0, ...since })
  await writeChanged(tx, gate, { listed, changed }, since)
  for (let at = 0; at < added.length; at += BATCH)
    await tx
      .insertInto('gate_wanted')
      .values(
        added.slice(at, at + BATCH).map((to) => ({
          location_code,
          code_id: services.random.hex(6),
          gate_code: to.code,
          tenant_id: to.tenantId,
          ...wantedOf(to),
          ...since,
          gone: 0 as const,
          remote_id: null,
          remote_version: 0,
          refused: null,
          late_at: null,
          applied_opens: null,
        })),
      )
      .execute()
  await tx
    .updateTable('gates')
    .set({ zone, version, changed_at: now, next_change_at })
    .$if(zone !== gate.zone, (query) => query.set(changedHours(gate, since)))
    .where('location_code', '=', location_code)
    .execute()
  return changes
}

const wantedOf = ({ opens, hours, units }: CodeAccess) => ({
  opens: opens ? (1 as const) : (0 as const),
  hours,
  units: JSON.stringify(units),
})

type WantedRow = Selectable<Tables['gate_wanted']>
type Since = Pick<WantedRow, 'version' | 'changed_at'>

/**
 * Updates changed gate codes in the gate's list. Codes whose access and hours change alike are updated in one
 * statement; changed unit numbers are updated for each code.
 */
async function writeChanged(
  tx: Kysely<Tables>,
  gate: Gate,
  { listed, changed }: { listed: readonly ExpectedGateCode[]; changed: readonly { codeId: string; to: CodeAccess }[] },
  since: Since,
): Promise<void> {
  const alike = Map.groupBy(changed, ({ to }) => `${to.opens} ${to.hours}`)
  for (const same of alike.values()) {
    const [{ to } = { to: null }] = same
    if (!to) continue
    const { opens, hours } = wantedOf(to)
    await setWanted(
      tx,
      gate,
      same.map((one) => one.codeId),
      { opens, hours, ...since },
    )
  }
  const units = new Map(listed.map((one) => [one.codeId, JSON.stringify(one.units)]))
  for (const { codeId, to } of changed) {
    const wanted = wantedOf(to).units
    if (units.get(codeId) !== wanted) await setWanted(tx, gate, [codeId], { units: wanted })
  }
}

/**
 * Updates columns of gate codes in a gate's list. Before a version is replaced, `applied_opens` records the last state
 * that the gate is known to apply; a code that the gate may have opened since counts as open.
 */
async function setWanted(
  tx: Kysely<Tables>,
  gate: Gate,
  codeIds: readonly string[],
  to: Partial<Pick<WantedRow, 'gone' | 'opens' | 'hours' | 'units' | 'version' | 'changed_at'>>,
): Promise<void> {
  for (let at = 0; at < codeIds.length; at += BATCH)
    await tx
      .updateTable('gate_wanted')
      .set(to)
      .set({
        applied_opens: sql`case
          when version <= ${gate.applied_version} then opens
          when opens = 1 and changed_at <= ${mayHaveUntil(gate)} then 1
          else applied_opens end`,
      })
      .where('location_code', '=', gate.location_code)
      .where('code_id', 'in', codeIds.slice(at, at + BATCH))
      .execute()
}

/**
 * Refreshes gates whose records have changed or whose override has ended. Runs as a chore.
 * @returns the number of codes
 */
export async function syncGates(services: Services, stopping: () => boolean): Promise<number> {
  const now = services.clock.now()
  const due = await services.db.read
    .selectFrom('gate_marks')
    .select('location_code')
    .union(
      services.db.read
        .selectFrom('gates')
        .select('location_code')
        .where('next_change_at', '<=', now)
        .where('kind', '!=', 'none'),
    )
    .execute()
  let changes = 0
  for (const { location_code } of due) {
    if (stopping()) break
    const refreshed = await services.db.transaction((tx) =>
      refreshGate(tx, services, location_code, { onlyAnnounced: true }),
    )
    changes += refreshed.changes
  }
  return changes
}

/**
 * Compares every gate with the records. A difference without a mark is a bug, which is reported and repaired. Runs as a
 * chore.
 */
export async function compareGates(services: Services, stopping: () => boolean): Promise<number> {
  const gates = await services.db.read.selectFrom('gates').select('location_code').where('kind', '!=', 'none').execute()
  let changes = 0
  for (const { location_code } of gates) {
    if (stopping()) break
    const refreshed = await services.db.transaction((tx) => refreshGate(tx, services, location_code))
    changes += refreshed.changes
    if (refreshed.changes > 0 && !refreshed.announced)
      services.errors.report(new Error(`The gate of ${location_code} differed from the books without a mark`), {
        chore: 'compare gates',
      })
  }
  return changes
}
