/**
 * Keeps each gate's list of codes equal to our records. Triggers insert a mark (`gate_marks`) with each change of a
 * record that may change the list. Each change of the list gets a version.
 */

import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { splitIntoBatches } from '../../platform/database/split-into-batches.ts'
import { valueList } from '../../platform/database/value-list.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadGateFacts } from './gate-facts.ts'
import { type CodeRow, loadListedCodes } from './internal/gate-list.ts'
import { changedHours, type Gate, lockGate, mayHaveUntil, nextVersion } from './load-and-lock-facility-gate.ts'
import {
  accessByCode,
  type CodeAccess,
  diffGateCodes,
  type ListedGateCode,
  nextGateChange,
} from './rules/gate-access.ts'

/**
 * Brings a gate's list of codes in line with the access that leases and overrides give now. Runs in the caller's
 * transaction.
 * @param options.onlyAnnounced changes the list only where a mark or the end of an override announces a change
 * @returns number of changed codes, plus one if the time zone changed; and whether a mark or the end of an override had
 *   announced a change
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
  // Nothing has changed, or another process has refreshed the gate while this one waited for the row.
  if (onlyAnnounced && !announced) return { changes: 0, announced }
  const changes = gate && gate.kind !== 'none' ? await updateList(tx, services, gate, now) : 0
  // A change that was committed after the marks were read has a mark too, which the next refresh deletes.
  const isAnnounced = announced || (changes > 0 && (await hasMark(tx, locationCode)))
  for (const batch of splitIntoBatches(marks))
    await tx
      .deleteFrom('gate_marks')
      .where(
        'mark',
        'in',
        batch.map(({ mark }) => mark),
      )
      .execute()
  return { changes, announced: isAnnounced }
}

const hasMark = async (tx: Kysely<Tables>, locationCode: string): Promise<boolean> =>
  (await tx.selectFrom('gate_marks').select('mark').where('location_code', '=', locationCode).executeTakeFirst()) !==
  undefined

async function updateList(
  tx: Kysely<Tables>,
  services: Pick<Services, 'random'>,
  gate: Gate,
  now: Instant,
): Promise<number> {
  const { location_code } = gate
  const facts = await loadGateFacts(tx, { location_code }, now)
  const listed = await loadListedCodes(tx, location_code)
  const location = await tx
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', location_code)
    .executeTakeFirst()
  const zone = location?.time_zone ?? gate.zone
  const { added, changed, gone } = diffGateCodes(listed, accessByCode(facts, now))
  const changes = added.length + changed.length + gone.length + (zone === gate.zone ? 0 : 1)
  const next_change_at = nextGateChange(facts, now)
  if (changes === 0) {
    if (next_change_at !== gate.next_change_at)
      await tx.updateTable('gates').set({ next_change_at }).where('location_code', '=', location_code).execute()
    return 0
  }
  const version = nextVersion(gate, now)
  const since = { version, changed_at: now }
  await updateCodes(tx, gate, gone, { gone: 1, opens: 0, ...since })
  await writeChanged(tx, gate, { listed, changed }, since)
  for (const batch of splitIntoBatches(added))
    await tx
      .insertInto('gate_wanted')
      .values(
        batch.map((to) => ({
          location_code,
          code_id: services.random.hex(6),
          gate_code: to.code,
          tenant_id: to.tenantId,
          ...columnsOf(to),
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

const columnsOf = ({ opens, hours, units }: CodeAccess) => ({
  opens: opens ? (1 as const) : (0 as const),
  hours,
  units: JSON.stringify(units),
})

type Since = Pick<CodeRow, 'version' | 'changed_at'>

/**
 * Updates changed gate codes in the gate's list. Codes that get the same access and hours are updated together, changed
 * unit numbers code by code.
 */
async function writeChanged(
  tx: Kysely<Tables>,
  gate: Gate,
  { listed, changed }: { listed: readonly ListedGateCode[]; changed: readonly { codeId: string; to: CodeAccess }[] },
  since: Since,
): Promise<void> {
  const groups = Map.groupBy(changed, ({ to }) => `${to.opens} ${to.hours}`)
  for (const group of groups.values()) {
    const [{ to } = { to: null }] = group
    if (!to) continue
    const { opens, hours } = columnsOf(to)
    await updateCodes(
      tx,
      gate,
      group.map(({ codeId }) => codeId),
      { opens, hours, ...since },
    )
  }
  const units = new Map(listed.map((code) => [code.codeId, JSON.stringify(code.units)]))
  for (const { codeId, to } of changed) {
    const newUnits = columnsOf(to).units
    if (units.get(codeId) !== newUnits) await updateCodes(tx, gate, [codeId], { units: newUnits })
  }
}

/**
 * Updates columns of gate codes in a gate's list. Before a version is replaced, `applied_opens` records the last state
 * that the gate has acknowledged; a code that opens in a later list which the gate may have received counts as open.
 */
async function updateCodes(
  tx: Kysely<Tables>,
  gate: Gate,
  codeIds: readonly string[],
  to: Partial<Pick<CodeRow, 'gone' | 'opens' | 'hours' | 'units' | 'version' | 'changed_at'>>,
): Promise<void> {
  for (const batch of splitIntoBatches(codeIds))
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
      .where('code_id', 'in', valueList(batch))
      .execute()
}

/**
 * Refreshes gates whose records have changed or whose override has ended. Runs as a chore.
 * @returns the number of changed codes and time zones
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
 * Brings the lists of all connected gates in line with the records. A difference that neither a mark nor the end of an
 * override announced is a bug, which is reported and repaired. Runs as a chore.
 * @returns the number of changed codes and time zones
 */
export async function compareGates(services: Services, stopping: () => boolean): Promise<number> {
  const gates = await services.db.read.selectFrom('gates').select('location_code').where('kind', '!=', 'none').execute()
  let changes = 0
  for (const { location_code } of gates) {
    if (stopping()) break
    const refreshed = await services.db.transaction((tx) => refreshGate(tx, services, location_code))
    changes += refreshed.changes
    if (refreshed.changes > 0 && !refreshed.announced)
      services.errors.report(new Error(`The gate of ${location_code} differed from the records without a mark`), {
        chore: 'compare gates',
      })
  }
  return changes
}
