/**
 * Watches for silent gates, unanswered remote openings, and codes and hours that a gate has not accepted: creates tasks,
 * and mails tenants and auction winners whose late code the gate has accepted since.
 */

import type { Kysely } from 'kysely'
import { HOUR } from '../../domain/durations.ts'
import { isTextList, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { compareUnitNumbers } from '../../domain/unit-number-order.ts'
import { facilityCodesForSqlIn } from '../../platform/database/facility-codes-for-sql-in.ts'
import { splitIntoBatches } from '../../platform/database/split-into-batches.ts'
import { valueList } from '../../platform/database/value-list.ts'
import { enqueueAll, type NewJob } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { winnerOfListedCode } from '../links/paid-auction-winners.ts'
import { endTasksAbout, ensureOpenTask, syncOpenTasks } from '../staff/staff-tasks.ts'
import { addUnansweredTask, nameUnits } from './internal/add-gate-report-tasks.ts'
import { formatMoment } from './internal/format-moment.ts'
import { lockGate } from './load-and-lock-facility-gate.ts'
import { GATE_OFFLINE_AFTER_MS, type GateContacts, isOverdue } from './rules/gate-contact-timeouts.ts'
import { hasAcknowledgedOtherHours } from './rules/hours-acknowledged-by-gate.ts'

/** A connected gate with the codes that it has not accepted or that are marked as late. */
interface WatchedGate extends GateContacts {
  locationCode: string
  zone: string
  appliedVersion: number
  /** When the gate's hours or time zone last changed, if the gate has acknowledged only earlier ones; else null. */
  hoursChangedAt: Instant | null
  waiting: WaitingCode[]
}

interface WaitingCode {
  codeId: string
  tenantId: number
  /**
   * uuid of the auction winner who has the code, which is recorded under the unit's former tenant; null for a tenant's.
   */
  winner: string | null
  opens: boolean
  /** Whether the gate may still open for the code by an earlier list (`gate_wanted.applied_opens`); null if unknown. */
  appliedOpens: boolean | null
  gone: boolean
  units: string[]
  version: number
  changedAt: Instant
  refused: string | null
  refusedAt: Instant | null
  lateAt: Instant | null
}

const isSilent = (gate: WatchedGate, now: Instant): boolean =>
  (gate.heardAt ?? gate.connectedAt) < now - GATE_OFFLINE_AFTER_MS

const isTaken = (gate: WatchedGate, code: WaitingCode): boolean =>
  code.refused === null && code.version <= gate.appliedVersion

/** Returns whether the gate should open for the code, but refuses to store it or has not acknowledged it in time. */
const isLate = (gate: WatchedGate, code: WaitingCode, now: Instant): boolean =>
  code.opens && !code.gone && !isTaken(gate, code) && (code.refused !== null || isOverdue(gate, code.changedAt, now))

/**
 * Returns whether the gate is late with a code because the code was refused or changed, rather than because of a new
 * epoch or connection.
 */
const isOwnChange = (gate: WatchedGate, code: WaitingCode): boolean =>
  code.refused !== null || code.changedAt > gate.epochAt

const areHoursLate = (gate: WatchedGate, now: Instant): boolean =>
  gate.hoursChangedAt !== null && isOverdue(gate, gate.hoursChangedAt, now)

/**
 * Loads the connected gates, each with the codes that it has not accepted or that are marked as late.
 * @param only location codes; 'all' for every facility
 */
async function loadWatchedGates(db: Kysely<Tables>, only: 'all' | readonly string[] = 'all'): Promise<WatchedGate[]> {
  const gates = await db
    .selectFrom('gates')
    .selectAll()
    .where('kind', '!=', 'none')
    .$if(only !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(only)))
    .execute()
  const codes = await db
    .selectFrom('gate_wanted')
    .innerJoin('gates', 'gates.location_code', 'gate_wanted.location_code')
    .select(['gate_wanted.location_code', 'code_id', 'opens', 'gone', 'units', 'gate_wanted.version'])
    .select(['tenant_id', winnerOfListedCode(db).limit(1).as('winner')])
    .select(['gate_wanted.changed_at', 'refused', 'refused_at', 'late_at', 'applied_opens'])
    .$if(only !== 'all', (query) => query.where('gates.location_code', 'in', facilityCodesForSqlIn(only)))
    .where((eb) =>
      eb.or([
        eb('gate_wanted.version', '>', eb.ref('gates.applied_version')),
        eb('refused', 'is not', null),
        eb('late_at', 'is not', null),
      ]),
    )
    .execute()
  const byGate = Map.groupBy(codes, (code) => code.location_code)
  return gates.map((gate) => ({
    locationCode: gate.location_code,
    zone: gate.zone,
    appliedVersion: gate.applied_version,
    connectedAt: gate.connected_at,
    epochAt: gate.epoch_at,
    firstHeardAt: gate.first_heard_at,
    heardAt: gate.heard_at,
    hoursChangedAt: hasAcknowledgedOtherHours(gate) ? gate.week_changed_at : null,
    waiting: (byGate.get(gate.location_code) ?? []).map((code) => ({
      codeId: code.code_id,
      tenantId: code.tenant_id,
      winner: code.winner,
      opens: code.opens === 1,
      appliedOpens: code.applied_opens === null ? null : code.applied_opens === 1,
      gone: code.gone === 1,
      units: parseJson(code.units, isTextList),
      version: code.version,
      changedAt: code.changed_at,
      refused: code.refused,
      refusedAt: code.refused_at,
      lateAt: code.late_at,
    })),
  }))
}

/**
 * Creates and ends tasks about gates, and mails tenants and auction winners whose late code the gate has now accepted.
 * Runs as a chore.
 * @returns the number of mails
 */
export async function watchGates(services: Services, stopping: () => boolean): Promise<number> {
  let mails = 0
  const openings = await loadLapsedOpenings(services.db.read, services.clock.now())
  const lapsed = Map.groupBy(openings, (opening) => opening.location_code)
  for (const gate of await loadWatchedGates(services.db.read)) {
    if (stopping()) break
    const lapsedHere = lapsed.get(gate.locationCode) ?? []
    mails += await services.db.transaction((tx) => watchGate(tx, services, gate, lapsedHere))
  }
  return mails
}

async function watchGate(
  tx: Kysely<Tables>,
  services: Services,
  gate: WatchedGate,
  lapsed: readonly LapsedOpening[],
): Promise<number> {
  // The gate may have been disconnected, or begun a new epoch, since it was read.
  const present = await lockGate(tx, gate.locationCode)
  if (!present || present.kind === 'none' || present.epoch_at !== gate.epochAt) return 0
  const now = services.clock.now()
  const late = gate.waiting.filter((code) => isLate(gate, code, now))
  await updateSilenceTask(tx, services, gate)
  await addLapsedOpeningTasks(tx, services, gate, lapsed)
  await updateLateCodeTasks(tx, services, gate, late)
  const newlyLate = late.filter((code) => code.lateAt === null && isOwnChange(gate, code))
  await setLate(tx, gate, newlyLate, now)
  return mailReadyPeople(tx, services, gate, late)
}

/**
 * Mails the tenants and auction winners whose late codes the gate has taken, one mail each.
 * @returns the number of mails
 */
async function mailReadyPeople(
  tx: Kysely<Tables>,
  services: Services,
  gate: WatchedGate,
  late: readonly WaitingCode[],
): Promise<number> {
  const lateCodes = new Set(late)
  const stillLate = new Set(late.map(personOf))
  const mails = new Map<string | number, NewJob>()
  const noLongerLate: WaitingCode[] = []
  for (const code of gate.waiting) {
    if (code.lateAt === null || lateCodes.has(code)) continue
    const opens = code.opens && !code.gone
    // A page or mail may have said that the gate has not taken the code, so the mail stays due until the gate has.
    if (opens && !isTaken(gate, code)) continue
    noLongerLate.push(code)
    const person = personOf(code)
    // One mail names all codes of a tenant, once none of them is late.
    if (!opens || stillLate.has(person) || mails.has(person)) continue
    mails.set(person, readyMail(services, gate, code))
  }
  await setLate(tx, gate, noLongerLate, null)
  await enqueueAll(tx, [...mails.values()])
  return mails.size
}

const personOf = ({ tenantId, winner }: WaitingCode): string | number => winner ?? tenantId

function readyMail(
  { clock }: Services,
  { locationCode }: WatchedGate,
  { tenantId, winner, lateAt }: WaitingCode,
): NewJob {
  const runAt = clock.now()
  if (winner !== null)
    return { kind: 'auction_gate_ready', once: `${winner}:${lateAt}`, payload: { uuid: winner }, runAt }
  const once = `${locationCode}:${tenantId}:${lateAt}`
  return { kind: 'gate_ready', once, payload: { locationCode, tenantId }, runAt }
}

/** Sets since when codes are late; null for codes that no longer are. */
async function setLate(
  tx: Kysely<Tables>,
  { locationCode }: WatchedGate,
  codes: readonly WaitingCode[],
  at: Instant | null,
): Promise<void> {
  for (const batch of splitIntoBatches(codes))
    await tx
      .updateTable('gate_wanted')
      .set({ late_at: at })
      .where('location_code', '=', locationCode)
      .where('code_id', 'in', valueList(batch.map(({ codeId }) => codeId)))
      .execute()
}

function unitsOf(codes: readonly WaitingCode[]): string {
  const units = [...new Set(codes.flatMap((code) => code.units))].sort(compareUnitNumbers)
  return units.length === 0 ? 'no unit any more' : nameUnits(units)
}

/**
 * Keeps a task open while a gate is silent, and ends it once the gate is heard. The task lists the units whose codes
 * still open the gate although they should not, unless the gate has not been heard since it was connected.
 */
async function updateSilenceTask(tx: Kysely<Tables>, services: Services, gate: WatchedGate): Promise<void> {
  const { locationCode, zone, heardAt } = gate
  const now = services.clock.now()
  const about = { kind: 'gate silent', subject: locationCode }
  if (!isSilent(gate, now)) return endTasksAbout(tx, services, about, { by: null, state: 'done' })
  const closedCodes = gate.waiting.filter(
    (code) => (!code.opens || code.gone) && code.version > gate.appliedVersion && code.appliedOpens === true,
  )
  const stillOpens =
    closedCodes.length === 0 ? '' : ` It still opens, although it should not, for: ${unitsOf(closedCodes)}.`
  await ensureOpenTask(tx, services, {
    ...about,
    since: heardAt ?? gate.connectedAt,
    note:
      heardAt === null
        ? `The gate has not been heard since it was connected ${formatMoment(zone, gate.connectedAt)}. What it opens is not known.`
        : `The gate was heard last ${formatMoment(zone, heardAt)}. It goes on by its last list.${stillOpens}`,
    dueOn: todayIn(zone, now),
    locationCode,
  })
}

/** Loads the remote openings that lapsed within the last hour and that no gate has answered. */
const loadLapsedOpenings = (db: Kysely<Tables>, now: Instant) =>
  db
    .selectFrom('gate_commands')
    .select(['command_id', 'location_code', 'point'])
    .where('done_at', 'is', null)
    .where('lapses_at', '<=', now)
    .where('lapses_at', '>', now - HOUR)
    .execute()

type LapsedOpening = Awaited<ReturnType<typeof loadLapsedOpenings>>[number]

/** Creates a task for each remote opening that a gate has not answered in time. */
async function addLapsedOpeningTasks(
  tx: Kysely<Tables>,
  services: Services,
  { locationCode, zone }: WatchedGate,
  lapsed: readonly LapsedOpening[],
): Promise<void> {
  const dueOn = todayIn(zone, services.clock.now())
  for (const { command_id, point } of lapsed)
    await addUnansweredTask(tx, services, locationCode, { id: command_id, point, dueOn })
}

/**
 * Keeps a task open about the codes and hours that a gate has not accepted in time, and one about each code that it
 * refuses. Ends these tasks once their reason is gone.
 */
async function updateLateCodeTasks(
  tx: Kysely<Tables>,
  services: Services,
  gate: WatchedGate,
  late: readonly WaitingCode[],
): Promise<void> {
  const { locationCode, zone } = gate
  const now = services.clock.now()
  const dueOn = todayIn(zone, now)
  const hoursChangedAt = areHoursLate(gate, now) ? gate.hoursChangedAt : null
  const waiting = late.filter((code) => code.refused === null)
  const about = { kind: 'gate late', subject: locationCode }
  if (waiting.length === 0 && hoursChangedAt === null)
    await endTasksAbout(tx, services, about, { by: null, state: 'done' })
  else
    await ensureOpenTask(tx, services, {
      ...about,
      since: Math.max(gate.epochAt, hoursChangedAt ?? 0, ...waiting.map((code) => code.changedAt)),
      note: [
        ...(waiting.length === 0
          ? []
          : [`The gate has not taken the codes of: ${unitsOf(waiting)}. Open it for who calls.`]),
        ...(hoursChangedAt === null
          ? []
          : ['The gate has not taken its new hours: it opens and shuts by the earlier ones.']),
      ].join(' '),
      dueOn,
      locationCode,
    })
  // The gate need not store a code for which it should not open.
  const refused = gate.waiting.filter((code) => code.refused !== null && code.opens && !code.gone)
  const refusals = refused.map((code) => ({
    subject: code.codeId,
    since: code.refusedAt ?? code.lateAt ?? 0,
    // No operation gives an auction winner another code.
    note: `The gate refuses the code of ${unitsOf([code])}: ${code.refused}. ${code.winner === null ? 'Give another one.' : 'Open it for who calls.'}`,
    dueOn,
    ...(code.winner === null && { tenantId: code.tenantId }),
  }))
  await syncOpenTasks(tx, services, { kind: 'gate refused', locationCode }, refusals)
}

/**
 * Counts the connected gates, those that are silent and those whose new hours are late (`lateHours`), and the codes
 * that are late or refused.
 * @param codes location codes; 'all' for every facility
 */
export async function loadGateHealth(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  codes: 'all' | readonly string[] = 'all',
): Promise<{ connected: number; silent: number; late: number; lateHours: number; refused: number }> {
  const now = clock.now()
  const gates = await loadWatchedGates(db.read, codes)
  const late = gates.flatMap((gate) => gate.waiting.filter((code) => isLate(gate, code, now)))
  return {
    connected: gates.length,
    silent: gates.filter((gate) => isSilent(gate, now)).length,
    late: late.filter((code) => code.refused === null).length,
    lateHours: gates.filter((gate) => areHoursLate(gate, now)).length,
    refused: late.filter((code) => code.refused !== null).length,
  }
}
