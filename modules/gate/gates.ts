/** Stores the gates and their wanted codes: compared with the books and versioned. */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { type IsShape, isListOf, isTextList, parseJson } from '../../domain/parse-json.ts'
import { engineOf } from '../../platform/database/engine.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { gateFacts } from './gate-facts.ts'
import { endControllerTasks } from './gate-tasks.ts'
import {
  accessByCode,
  type CodeAccess,
  diffGateCodes,
  type ExpectedGateCode,
  type GateKind,
  nextGateChange,
} from './rules/gate-access.ts'
import { GATE_DELAYED_MAX_MS } from './rules/gate-contact.ts'
import type { GateWeek } from './rules/gate-hours.ts'
import { gateHoursText } from './rules/gate-week.ts'

export type Gate = Selectable<Tables['gates']>

/** Codes that one statement adds; a facility has hundreds. */
const BATCH = 500

/** Returns the gate of a facility; undefined until Setup says what is connected. */
export const loadGate = (db: Kysely<Tables>, locationCode: string): Promise<Gate | undefined> =>
  db.selectFrom('gates').selectAll().where('location_code', '=', locationCode).executeTakeFirst()

/** Locks a gate's row, so that two processes never version one change twice. */
export const lockGate = (tx: Kysely<Tables>, locationCode: string): Promise<Gate | undefined> =>
  tx
    .selectFrom('gates')
    .selectAll()
    .where('location_code', '=', locationCode)
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

const isGateWeek: IsShape<GateWeek> = isListOf(
  (day): day is GateWeek[number] => day === null || (isTextList(day) && day.length === 2),
)

/** Returns the confirmed hours of a gate, Monday first; null where they were not confirmed. */
export const confirmedHoursOf = ({ week }: Pick<Gate, 'week'>): GateWeek | null =>
  week === '' ? null : parseJson(week, isGateWeek)

/** Returns whether a gate can be asked to open: the flat file has no remote openings. */
export const mayOpenRemotely = ({ kind, heard_format }: Pick<Gate, 'kind' | 'heard_format'>): boolean =>
  kind !== 'none' && heard_format !== 'flat'

type GateHours = Pick<
  Gate,
  'week' | 'zone' | 'week_version' | 'applied_version' | 'applied_at' | 'applied_week' | 'applied_zone'
>

/** Returns the hours and the time zone that a gate last acknowledged; null where it has acknowledged none. */
export const acknowledgedHours = (gate: GateHours): Pick<Gate, 'applied_week' | 'applied_zone'> =>
  gate.applied_at !== null && gate.week_version <= gate.applied_version
    ? { applied_week: gate.week, applied_zone: gate.zone }
    : { applied_week: gate.applied_week, applied_zone: gate.applied_zone }

/** Returns whether a gate has acknowledged hours, but not the present ones. */
export function hasAcknowledgedOtherHours(gate: GateHours): boolean {
  const { applied_week, applied_zone } = acknowledgedHours(gate)
  return applied_week !== null && (applied_week !== gate.week || applied_zone !== gate.zone)
}

/**
 * Returns the hours that a connected gate follows, which are the earlier ones until it has acknowledged new ones; null
 * where none is connected, or the hours were not confirmed.
 */
export const connectedWeek = (gate: (GateHours & Pick<Gate, 'kind'>) | undefined): GateWeek | null =>
  gate && gate.kind !== 'none' ? confirmedHoursOf({ week: acknowledgedHours(gate).applied_week ?? gate.week }) : null

/** Returns the hours of a facility's gate in words: those that a connected gate follows, else the facility's own text. */
export async function gateHoursAt(
  db: Kysely<Tables>,
  { location_code, gate_hours }: { location_code: string; gate_hours: string },
): Promise<string> {
  return gateHoursText(connectedWeek(await loadGate(db, location_code)), gate_hours)
}

/** Returns the next epoch: a longer word than the present one within the same second, so that none comes back. */
export const nextEpoch = (now: Instant, present = ''): string => {
  const epoch = `e${Math.floor(now / 1000).toString(36)}`
  return present.startsWith(epoch) ? `${present}x` : epoch
}

/** Begins a new epoch at all gates, since their acknowledgements from before a restore no longer hold. */
export async function startGateEpochs(db: Kysely<Tables>, now: Instant): Promise<void> {
  for (const gate of await db.selectFrom('gates').selectAll().execute()) await beginEpoch(db, gate, now)
}

/** Begins a new epoch at a gate. Keeps what it had acknowledged, since it goes on by that list. */
export async function beginEpoch(db: Kysely<Tables>, gate: Gate, now: Instant): Promise<void> {
  await db
    .updateTable('gate_wanted')
    .set({
      // A closed code may have been opened after the backup, so what the gate does with it is not known.
      applied_opens: sql<1 | null>`case
        when opens = 1 and version <= ${gate.applied_version} then 1
        when applied_opens = 1 then 1
        else null end`,
    })
    .where('location_code', '=', gate.location_code)
    .execute()
  await db
    .updateTable('gates')
    .set({ epoch: nextEpoch(now, gate.epoch), epoch_at: now, applied_version: 0, applied_at: null })
    .set(acknowledgedHours(gate))
    .where('location_code', '=', gate.location_code)
    .execute()
}

/**
 * Brings what a gate should open to what the books say. Runs in the caller's transaction.
 * @param options.onlyAnnounced compares with the books only where a mark or an override's end announces a change
 * @returns how many codes have changed, and whether a mark or an override's end had announced it
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
  const listed = await listedCodes(tx, location_code)
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

/** Columns to set when the hours or the time zone change in a version. */
function changedHours(gate: Gate, { version, changed_at }: Since) {
  const { week: applied_week, zone: applied_zone, applied_at, week_changed_at } = gate
  const mayFollow = applied_at !== null && week_changed_at <= mayHaveUntil(gate)
  return {
    week_version: version,
    week_changed_at: changed_at,
    ...(mayFollow ? { applied_week, applied_zone } : acknowledgedHours(gate)),
  }
}

/** Returns until when changes may have reached a gate that has not acknowledged them. A push may have lost its answer. */
const mayHaveUntil = ({ kind, heard_at }: Gate): Instant =>
  kind === 'push' ? Number.MAX_SAFE_INTEGER : heard_at === null ? -1 : heard_at + GATE_DELAYED_MAX_MS

const wantedOf = ({ opens, hours, units }: CodeAccess) => ({
  opens: opens ? (1 as const) : (0 as const),
  hours,
  units: JSON.stringify(units),
})

type WantedRow = Selectable<Tables['gate_wanted']>
type Since = Pick<WantedRow, 'version' | 'changed_at'>

/** Writes codes that have changed: those that have become alike in one statement, whatever their number. */
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
 * Sets columns of codes. A new version keeps what the gate had acknowledged of the one before; a code that it may have
 * opened meanwhile counts as open.
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

const wantedColumns = ['code_id', 'gate_code', 'tenant_id', 'opens', 'hours', 'units'] as const

/** Parses a row of `gate_wanted`; no code where a join has found none. */
function wantedCodes(
  row: { [column in (typeof wantedColumns)[number]]: WantedRow[column] | null },
): ExpectedGateCode[] {
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

async function listedCodes(db: Kysely<Tables>, locationCode: string): Promise<ExpectedGateCode[]> {
  const rows = await db
    .selectFrom('gate_wanted')
    .select(wantedColumns)
    .where('location_code', '=', locationCode)
    .where('gone', '=', 0)
    .execute()
  return rows.flatMap(wantedCodes)
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

/** The list of a gate, read in one statement, so that codes and version belong together. */
export interface GateList {
  kind: GateKind
  epoch: string
  version: number
  zone: string
  week: GateWeek | null
  codes: ExpectedGateCode[]
}

export async function loadGateList(db: Kysely<Tables>, locationCode: string): Promise<GateList | null> {
  const rows = await db
    .selectFrom('gates')
    .leftJoin('gate_wanted', (join) =>
      join.onRef('gate_wanted.location_code', '=', 'gates.location_code').on('gate_wanted.gone', '=', sql.lit(0)),
    )
    .select(['gates.kind', 'gates.epoch', 'gates.version', 'gates.zone', 'gates.week'])
    .select(wantedColumns)
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
    codes: rows.flatMap(wantedCodes),
  }
}

/**
 * Sets what is connected at a gate and its hours. Another kind begins a new epoch, since another controller knows
 * nothing of what this one took. Runs in the caller's transaction, under the facility's lock.
 */
export async function setGate(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  locationCode: string,
  to: { kind: GateKind; week: GateWeek | null },
): Promise<void> {
  const now = services.clock.now()
  const known = await lockGate(tx, locationCode)
  const week = to.week === null ? '' : JSON.stringify(to.week)
  if (!known)
    await tx
      .insertInto('gates')
      .values({
        location_code: locationCode,
        kind: to.kind,
        settings_sealed: null,
        week,
        zone: '',
        connected_at: now,
        epoch: nextEpoch(now),
        epoch_at: now,
        first_heard_at: null,
        week_version: 0,
        week_changed_at: now,
        applied_week: null,
        applied_zone: null,
        version: 0,
        changed_at: now,
        next_change_at: null,
        applied_version: 0,
        applied_at: null,
        heard_at: null,
        heard_by: '',
        next_try_at: null,
        last_error: '',
      })
      .execute()
  else {
    const version = known.week === week ? known.version : known.version + 1
    await tx
      .updateTable('gates')
      .set({ kind: to.kind, week, version })
      .$if(known.week !== week, (query) => query.set(changedHours(known, { version, changed_at: now })))
      .where('location_code', '=', locationCode)
      .execute()
    if (known.kind !== to.kind) {
      await forgetController(tx, known, now)
      await endControllerTasks(tx, services, locationCode)
    }
  }
  await refreshGate(tx, services, locationCode)
  // After the refresh: codes that a connection adds are not changes that a tenant waits for.
  if (known?.kind !== to.kind)
    await tx
      .updateTable('gates')
      .set({ epoch_at: services.clock.now() })
      .where('location_code', '=', locationCode)
      .execute()
}

/** Begins a new epoch without anything acknowledged or heard, since another controller is connected. */
async function forgetController(tx: Kysely<Tables>, known: Gate, now: Instant): Promise<void> {
  await beginEpoch(tx, known, now)
  await tx
    .updateTable('gates')
    .set({ connected_at: now, heard_at: null, heard_by: '', first_heard_at: null, next_change_at: null })
    .set({ heard_format: null, next_try_at: null, last_error: '' })
    .set({ applied_week: null, applied_zone: null })
    .where('location_code', '=', known.location_code)
    .execute()
  await tx
    .updateTable('gate_wanted')
    .set({ applied_opens: null, refused: null, refused_at: null, late_at: null })
    .where('location_code', '=', known.location_code)
    .execute()
}
