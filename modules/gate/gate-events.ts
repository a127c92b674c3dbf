/**
 * Stores, loads and deletes events that gates report: opened, refused, forced or held open, faults. Loads the results of
 * remote openings.
 */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { DAY, MINUTE } from '../../domain/durations.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { plainLine } from '../../platform/operations/input-fields.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { winnerOfListedCode } from '../links/paid-auction-winners.ts'
import { addClockTask, addReportTasks, addUsedIdsTask, endUnansweredTask } from './internal/add-gate-report-tasks.ts'
import { type GateEventKind, gateEventKinds } from './rules/gate-access.ts'
import { GATE_EVENT_RETENTION_MS } from './rules/gate-event-retention.ts'
import type { GateVisit } from './rules/gate-reason-texts.ts'

/** Maximum number of events in one call of a gate. */
export const GATE_EVENTS_MAX = 500
/** Tolerated error of a gate controller's clock, in milliseconds. */
const CLOCK_ERROR_MS = 2 * MINUTE
/** Maximum length in characters of a reason that a gate reports; the stored reason is cut to 200. */
const MAX_REPORTED_REASON = 2000

const line = (maxLength: number) =>
  v.pipe(plainLine, v.trim(), v.maxLength(maxLength, `must be at most ${maxLength} characters`))

/**
 * Schema of the reason that a controller gives for an event or a refused code. A reason of up to 2000 characters is cut
 * to 200, because rejecting it would lose the event, or the whole call with the refused codes.
 */
const reason = v.optional(
  v.pipe(
    line(MAX_REPORTED_REASON),
    v.transform((text) => text.slice(0, 200)),
  ),
  '',
)

/** Schema of a gate code that a controller reports as not storable: the code's id and the reason. */
export const refusedCodeInput = v.object({
  id: line(40),
  why: v.pipe(
    reason,
    v.transform((text) => text || 'not said'),
  ),
})

/** An event as a controller sends it. */
export const gateEventInput = v.object({
  id: v.pipe(line(80), v.minLength(1, 'is required')),
  at: v.pipe(
    v.string(),
    v.regex(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/,
      'must be an instant: 2026-11-20T16:59:58Z',
    ),
    v.transform((text) => Date.parse(text)),
    v.check((at) => Number.isFinite(at), 'must be an instant: 2026-11-20T16:59:58Z'),
  ),
  point: v.optional(line(40), 'main'),
  what: v.picklist(gateEventKinds, `must be one of ${gateEventKinds.join(', ')}`),
  code_id: v.optional(line(40), ''),
  command: v.optional(line(40), ''),
  why: reason,
})

type ParsedEvent = v.InferOutput<typeof gateEventInput>

/** Result of storing the events of one call. */
interface StoreResult {
  /** Number of events that are new. */
  taken: number
  /** Number of events that were stored already. */
  known: number
  /** Rejected events: index in the call, and why. */
  unread: { place: number; why: string }[]
}

/**
 * Parses one event that a gate controller reports.
 * @returns the event; else why it is rejected, and how far the controller's clock is ahead in milliseconds, negative if
 *   it is behind, 0 if the clock is not the reason
 */
function parseEvent(
  sent: unknown,
  now: Instant,
): { event: ParsedEvent } | { event: null; why: string; clockError: number } {
  const parsed = v.safeParse(gateEventInput, sent)
  const [issue] = parsed.issues ?? []
  if (issue) {
    const field = issue.path?.map((step) => String(step.key)).join('.') ?? 'event'
    const fault = issue.received === 'undefined' ? 'is required' : issue.message
    return { event: null, why: `${field}: ${fault}`, clockError: 0 }
  }
  if (!parsed.success) return { event: null, why: 'event: cannot be read', clockError: 0 }
  const clockError = parsed.output.at - now
  if (clockError > CLOCK_ERROR_MS) return { event: null, why: 'at: lies ahead of our clock', clockError }
  if (clockError < -GATE_EVENT_RETENTION_MS)
    return { event: null, why: `at: lies more than ${GATE_EVENT_RETENTION_MS / DAY} days back`, clockError }
  return { event: parsed.output }
}

/**
 * Stores a gate's events, each once, however often the gate sends it. Rejects an event whose id is stored with another
 * time or kind: its controller reuses ids, as one does that counts from 1 again.
 */
export async function storeGateEvents(
  services: Services,
  locationCode: string,
  sent: readonly unknown[],
): Promise<StoreResult> {
  const now = services.clock.now()
  const accepted: { place: number; event: ParsedEvent }[] = []
  const unread: StoreResult['unread'] = []
  let clockError = 0
  for (const [place, event] of sent.entries()) {
    const result = parseEvent(event, now)
    if (result.event) accepted.push({ place, event: result.event })
    else {
      unread.push({ place, why: result.why })
      if (Math.abs(result.clockError) > Math.abs(clockError)) clockError = result.clockError
    }
  }
  if (accepted.length === 0 && clockError === 0) return { taken: 0, known: 0, unread }
  // In one transaction: if an event were stored without its task, a repeated call would not add the task.
  const { taken, usedIds } = await services.db.transaction(async (tx) => {
    const events = accepted.map(({ event }) => event)
    const { stored, behind } = await insertEvents(tx, services, locationCode, events)
    const others = await findOtherEvents(tx, locationCode, stored.length === events.length ? [] : events)
    await addReportTasks(tx, services, locationCode, stored)
    const error = clockError === 0 ? -behind : clockError
    if (Math.abs(error) > CLOCK_ERROR_MS) await addClockTask(tx, services, locationCode, error)
    if (others.size > 0) await addUsedIdsTask(tx, services, locationCode)
    return { taken: stored.length, usedIds: accepted.filter(({ event }) => others.has(event)) }
  })
  for (const { place } of usedIds) unread.push({ place, why: 'id: was used for another event' })
  unread.sort((a, b) => a.place - b.place)
  return { taken, known: accepted.length - taken - usedIds.length, unread }
}

/** Returns the events of a call whose id is stored for another event, which has another time or kind. */
async function findOtherEvents(
  tx: Kysely<Tables>,
  locationCode: string,
  events: readonly ParsedEvent[],
): Promise<Set<ParsedEvent>> {
  if (events.length === 0) return new Set()
  const rows = await tx
    .selectFrom('gate_events')
    .select(['event_id', 'at', 'what'])
    .where('location_code', '=', locationCode)
    .where('event_id', 'in', [...new Set(events.map(({ id }) => id))])
    .execute()
  const storedById = new Map(rows.map((row) => [row.event_id, row]))
  return new Set(
    events.filter(({ id, at, what }) => {
      const stored = storedById.get(id)
      return stored !== undefined && (stored.at !== at || stored.what !== what)
    }),
  )
}

/**
 * Stores the gate events that are not stored yet, and marks the remote openings that they answer as done.
 * @returns the new events, and the maximum time in milliseconds by which an event is dated before the remote opening
 *   that it answers; 0 if none is
 */
async function insertEvents(
  tx: Kysely<Tables>,
  services: Services,
  locationCode: string,
  events: readonly ParsedEvent[],
): Promise<{ stored: { what: GateEventKind; point: string; why: string; command: boolean }[]; behind: number }> {
  if (events.length === 0) return { stored: [], behind: 0 }
  const now = services.clock.now()
  const tenantByCode = await loadTenantsByCode(tx, locationCode, events)
  const stored = await tx
    .insertInto('gate_events')
    .values(
      events.map((event) => ({
        location_code: locationCode,
        event_id: event.id,
        at: event.at,
        received_at: now,
        point: event.point,
        what: event.what,
        code_id: event.code_id || null,
        tenant_id: tenantByCode.get(event.code_id) ?? null,
        command_id: event.command || null,
        why: event.why,
      })),
    )
    .onConflict((conflict) => conflict.columns(['location_code', 'event_id']).doNothing())
    .returning(['at', 'command_id', 'what', 'point', 'why'])
    .execute()
  let behind = 0
  for (const { at, command_id, what } of stored) {
    if (command_id === null) continue
    const command = await tx
      .updateTable('gate_commands')
      .set({ done_at: now, answer: what })
      .where('command_id', '=', command_id)
      .where('location_code', '=', locationCode)
      .where('done_at', 'is', null)
      .returning(['created_at', 'lapses_at'])
      .executeTakeFirst()
    if (!command) continue
    behind = Math.max(behind, command.created_at - at)
    if (command.lapses_at <= now) await endUnansweredTask(tx, services, locationCode, command_id)
  }
  return { stored: stored.map(({ command_id, ...event }) => ({ ...event, command: command_id !== null })), behind }
}

/**
 * Returns the tenant of each gate code that the events name, by the code's id; codes of auction winners are left out.
 */
async function loadTenantsByCode(
  tx: Kysely<Tables>,
  locationCode: string,
  events: readonly ParsedEvent[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('gate_wanted')
    .select(['code_id', 'tenant_id'])
    .where('location_code', '=', locationCode)
    .where('code_id', 'in', [...new Set(events.map((event) => event.code_id))])
    .where((eb) => eb.not(eb.exists(winnerOfListedCode(tx))))
    .execute()
  return new Map(rows.map((row) => [row.code_id, row.tenant_id]))
}

export interface GateEvent {
  event_id: string
  at: Instant
  what: GateEventKind
  point: string
  why: string
}

/**
 * Loads the newest events of a tenant's codes at the gate, newest first.
 * @param limit maximum number of events
 * @param before loads only earlier events; null for all
 */
export const loadGateEvents = (
  db: Kysely<Tables>,
  tenant: { location_code: string; tenant_id: number },
  limit: number,
  before: Instant | null = null,
): Promise<GateEvent[]> =>
  db
    .selectFrom('gate_events')
    .select(['event_id', 'at', 'what', 'point', 'why'])
    .where((eb) => eb.and(tenant))
    .$call(optionalCondition(before, (query, instant) => query.where('at', '<', instant)))
    .orderBy('at', 'desc')
    .orderBy('event_id')
    .limit(limit)
    .execute()

/** Loads the last event at which the gate opened for a tenant's code or refused it; null if there is none. */
export async function loadLastGateVisit(
  db: Kysely<Tables>,
  tenant: { location_code: string; tenant_id: number },
): Promise<GateVisit | null> {
  const row = await db
    .selectFrom('gate_events')
    .select(['at', 'what'])
    .where((eb) => eb.and(tenant))
    // A forced gate or a fault does not say that the tenant was there.
    .where('what', 'in', ['opened', 'refused'])
    .orderBy('at', 'desc')
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst()
  return row ? { at: row.at, refused: row.what === 'refused' } : null
}

/** Result of a remote opening: the gate opened, did not open, or did not answer in time. */
export interface GateOpening {
  command_id: string
  /** When the gate answered; if it has not, when the command lapsed. */
  at: Instant
  point: string
  answer: '' | GateEventKind
}

/**
 * Loads the results of remote openings by the office for a tenant, newest result first. Openings that the gate has not
 * answered are left out until they lapse.
 * @param limit maximum number of openings
 * @param before loads only earlier results; null for all
 */
export const loadGateOpenings = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tenant: { location_code: string; tenant_id: number },
  limit: number,
  before: Instant | null = null,
): Promise<GateOpening[]> =>
  db.read
    .selectFrom('gate_commands')
    .select(['command_id', 'point', 'answer'])
    .select((eb) => eb.fn.coalesce('done_at', 'lapses_at').as('at'))
    .where((eb) => eb.and(tenant))
    .where((eb) => eb.or([eb('done_at', 'is not', null), eb('lapses_at', '<=', clock.now())]))
    .$call(
      optionalCondition(before, (query, instant) =>
        query.where((eb) => eb(eb.fn.coalesce('done_at', 'lapses_at'), '<', instant)),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('command_id')
    .limit(limit)
    .execute()

/**
 * Deletes gate events, remote openings, and codes that are no longer in a gate's list, all after the retention period.
 * @returns the number of deleted rows
 */
export async function deleteOldGateRecords(services: Services, stopping: () => boolean): Promise<number> {
  const before = services.clock.now() - GATE_EVENT_RETENTION_MS
  const { write } = services.db
  const events = await deleteInBatches((limit) => {
    const old = write.selectFrom('gate_events').select('event_id').where('received_at', '<', before).limit(limit)
    return write
      .deleteFrom('gate_events')
      .where('event_id', 'in', old)
      .where('received_at', '<', before)
      .executeTakeFirstOrThrow()
  }, stopping)
  const commands = await write.deleteFrom('gate_commands').where('lapses_at', '<', before).executeTakeFirstOrThrow()
  const removedCodes = await write
    .deleteFrom('gate_wanted')
    .where('gone', '=', 1)
    .where('changed_at', '<', before)
    .executeTakeFirstOrThrow()
  return events + Number(commands.numDeletedRows) + Number(removedCodes.numDeletedRows)
}
