/** Watches for silent gates and refused codes: creates tasks, and mails tenants whose page had said 'not yet'. */
import type { Kysely } from 'kysely'
import { HOUR } from '../../domain/durations.ts'
import { isTextList, parseJson } from '../../domain/parse-json.ts'
import { formatShort } from '../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { winnerOfListedCode } from '../links/auction-winner-queries.ts'
import { endTasksAbout, keepOpenTask } from '../staff/staff-tasks.ts'
import { addUnansweredTask, nameUnits } from './add-staff-tasks.ts'
import { hasAcknowledgedOtherHours, lockGate } from './gate-rows.ts'
import { byNumber } from './rules/gate-access.ts'
import { GATE_OFFLINE_AFTER_MS, type GateContacts, isOverdue } from './rules/gate-time-limits.ts'

/** A connected gate with the codes that it has not accepted. */
interface Watched extends GateContacts {
  locationCode: string
  zone: string
  appliedVersion: number
  /** When its hours or time zone changed, if it has acknowledged earlier ones and not these; else null. */
  hoursChangedAt: Instant | null
  waiting: WaitingCode[]
}

interface WaitingCode {
  codeId: string
  tenantId: number
  /** uuid of the auction winner whose code it is, recorded under the unit's former tenant; null for a tenant's code. */
  winner: string | null
  opens: boolean
  /** What the gate had acknowledged before this version; null where it knew nothing of the code. */
  appliedOpens: boolean | null
  gone: boolean
  units: string[]
  version: number
  changedAt: Instant
  refused: string | null
  refusedAt: Instant | null
  lateAt: Instant | null
}

const isSilent = (gate: Watched, now: Instant): boolean =>
  (gate.heardAt ?? gate.connectedAt) < now - GATE_OFFLINE_AFTER_MS

const isTaken = (gate: Watched, code: WaitingCode): boolean =>
  code.refused === null && code.version <= gate.appliedVersion

/** Returns whether a tenant reads of this code that the gate has not taken it yet. */
const isLate = (gate: Watched, code: WaitingCode, now: Instant): boolean =>
  code.opens && !code.gone && !isTaken(gate, code) && (code.refused !== null || isOverdue(gate, code.changedAt, now))

/**
 * Returns whether the gate is late with a code because the code was refused or changed, rather than because of a new
 * epoch or connection.
 */
const isOwnChange = (gate: Watched, code: WaitingCode): boolean =>
  code.refused !== null || code.changedAt > gate.epochAt

const areHoursLate = (gate: Watched, now: Instant): boolean =>
  gate.hoursChangedAt !== null && isOverdue(gate, gate.hoursChangedAt, now)

/**
 * Loads the connected gates with the codes that they have not taken, or had not when they were last looked at.
 * @param only facilities; 'all' for every one
 */
async function watchedGates(db: Kysely<Tables>, only: 'all' | readonly string[] = 'all'): Promise<Watched[]> {
  const chosen = only === 'all' ? undefined : ['', ...only]
  const gates = await db
    .selectFrom('gates')
    .selectAll()
    .where('kind', '!=', 'none')
    .$call(optionalCondition(chosen, (query, codes) => query.where('location_code', 'in', codes)))
    .execute()
  const codes = await db
    .selectFrom('gate_wanted')
    .innerJoin('gates', 'gates.location_code', 'gate_wanted.location_code')
    .select(['gate_wanted.location_code', 'code_id', 'opens', 'gone', 'units', 'gate_wanted.version'])
    .select(['tenant_id', winnerOfListedCode(db).limit(1).as('winner')])
    .select(['gate_wanted.changed_at', 'refused', 'refused_at', 'late_at', 'applied_opens'])
    .$call(optionalCondition(chosen, (query, codes) => query.where('gates.location_code', 'in', codes)))
    .where((eb) =>
      eb.or([
        eb('gate_wanted.version', '>', eb.ref('gates.applied_version')),
        eb('refused', 'is not', null),
        eb('late_at', 'is not', null),
      ]),
    )
    .execute()
  const byGate = Map.groupBy(codes, (one) => one.location_code)
  return gates.map((gate) => ({
    locationCode: gate.location_code,
    zone: gate.zone,
    appliedVersion: gate.applied_version,
    connectedAt: gate.connected_at,
    epochAt: gate.epoch_at,
    firstHeardAt: gate.first_heard_at,
    heardAt: gate.heard_at,
    hoursChangedAt: hasAcknowledgedOtherHours(gate) ? gate.week_changed_at : null,
    waiting: (byGate.get(gate.location_code) ?? []).map((one) => ({
      codeId: one.code_id,
      tenantId: one.tenant_id,
      winner: one.winner,
      opens: one.opens === 1,
      appliedOpens: one.applied_opens === null ? null : one.applied_opens === 1,
      gone: one.gone === 1,
      units: parseJson(one.units, isTextList),
      version: one.version,
      changedAt: one.changed_at,
      refused: one.refused,
      refusedAt: one.refused_at,
      lateAt: one.late_at,
    })),
  }))
}

/**
 * Creates and ends tasks about gates, and mails tenants whose code was accepted. Runs as a chore.
 * @returns the number of mails
 */
export async function watchGates(services: Services, stopping: () => boolean): Promise<number> {
  let mails = 0
  const openings = await loadLapsedOpenings(services.db.read, services.clock.now())
  const lapsed = Map.groupBy(openings, (opening) => opening.location_code)
  for (const gate of await watchedGates(services.db.read)) {
    if (stopping()) break
    const lapsedHere = lapsed.get(gate.locationCode) ?? []
    mails += await services.db.transaction((tx) => watchGate(tx, services, gate, lapsedHere))
  }
  return mails
}

async function watchGate(
  tx: Kysely<Tables>,
  services: Services,
  gate: Watched,
  lapsed: readonly LapsedOpening[],
): Promise<number> {
  // The gate may have been disconnected, or begun a new epoch, since it was read.
  const present = await lockGate(tx, gate.locationCode)
  if (!present || present.kind === 'none' || present.epoch_at !== gate.epochAt) return 0
  const now = services.clock.now()
  const late = gate.waiting.filter((one) => isLate(gate, one, now))
  await tellOfSilence(tx, services, gate)
  await tellOfLapsedOpenings(tx, services, gate, lapsed)
  await tellOfLateCodes(tx, services, gate, late)
  for (const one of late) if (one.lateAt === null && isOwnChange(gate, one)) await setLate(tx, gate, one.codeId, now)
  return mailReadyPeople(tx, services, gate, late)
}

/** Mails the tenants and auction winners whose late codes the gate has taken, one mail each. @returns the number of mails */
async function mailReadyPeople(
  tx: Kysely<Tables>,
  services: Services,
  gate: Watched,
  late: readonly WaitingCode[],
): Promise<number> {
  const stillLate = new Set(late.map(personOf))
  const mailed = new Set<string | number>()
  for (const one of gate.waiting) {
    if (one.lateAt === null || late.includes(one)) continue
    const opens = one.opens && !one.gone
    // The tenant's page says that the gate has not taken the code, so a mail follows once it has.
    if (opens && !isTaken(gate, one)) continue
    await setLate(tx, gate, one.codeId, null)
    const person = personOf(one)
    // One mail names all codes of a tenant, once the last of them is taken.
    if (!opens || stillLate.has(person) || mailed.has(person)) continue
    await enqueueReadyMail(tx, services, gate, one)
    mailed.add(person)
  }
  return mailed.size
}

const personOf = ({ tenantId, winner }: WaitingCode): string | number => winner ?? tenantId

async function enqueueReadyMail(
  tx: Kysely<Tables>,
  { clock }: Services,
  { locationCode }: Watched,
  { tenantId, winner, lateAt }: WaitingCode,
): Promise<void> {
  const runAt = clock.now()
  if (winner === null) {
    const once = `${locationCode}:${tenantId}:${lateAt}`
    await enqueue(tx, { kind: 'gate_ready', once, payload: { locationCode, tenantId }, runAt })
  } else
    await enqueue(tx, { kind: 'auction_gate_ready', once: `${winner}:${lateAt}`, payload: { uuid: winner }, runAt })
}

const setLate = (tx: Kysely<Tables>, { locationCode }: Watched, codeId: string, at: Instant | null) =>
  tx
    .updateTable('gate_wanted')
    .set({ late_at: at })
    .where('location_code', '=', locationCode)
    .where('code_id', '=', codeId)
    .execute()

function unitsOf(codes: readonly WaitingCode[]): string {
  const units = [...new Set(codes.flatMap((code) => code.units))].sort(byNumber.compare)
  return units.length === 0 ? 'no unit any more' : nameUnits(units)
}

/** Creates a task for each silence of a gate. It lists codes that still open the gate although they should not. */
async function tellOfSilence(tx: Kysely<Tables>, services: Services, gate: Watched): Promise<void> {
  const { locationCode, zone, heardAt } = gate
  const now = services.clock.now()
  const about = { kind: 'gate silent', subject: locationCode }
  if (!isSilent(gate, now)) return endTasksAbout(tx, services, about, { by: null, state: 'done' })
  const moment = (at: Instant) => `${formatShort(todayIn(zone, at))} ${formatInstantIn(zone, at)}`
  const shut = gate.waiting.filter(
    (one) => (!one.opens || one.gone) && one.version > gate.appliedVersion && one.appliedOpens === true,
  )
  const stillOpens = shut.length === 0 ? '' : ` It still opens, though the books have closed it, for: ${unitsOf(shut)}.`
  await keepOpenTask(tx, services, {
    ...about,
    since: heardAt ?? gate.connectedAt,
    note:
      heardAt === null
        ? `The gate has not been heard since it was connected ${moment(gate.connectedAt)}. What it opens is not known.`
        : `The gate was heard last ${moment(heardAt)}. It goes on by its last list.${stillOpens}`,
    dueOn: todayIn(zone, now),
    locationCode,
  })
}

/** Loads the remote openings of the last hour that no gate has answered in time. */
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
async function tellOfLapsedOpenings(
  tx: Kysely<Tables>,
  services: Services,
  { locationCode, zone }: Watched,
  lapsed: readonly LapsedOpening[],
): Promise<void> {
  const dueOn = todayIn(zone, services.clock.now())
  for (const { command_id, point } of lapsed)
    await addUnansweredTask(tx, services, locationCode, { id: command_id, point, dueOn })
}

/** Creates a task for the codes that a gate has not accepted, and one for each code that it refuses. */
async function tellOfLateCodes(
  tx: Kysely<Tables>,
  services: Services,
  gate: Watched,
  late: readonly WaitingCode[],
): Promise<void> {
  const { locationCode, zone } = gate
  const now = services.clock.now()
  const dueOn = todayIn(zone, now)
  const hours = areHoursLate(gate, now) ? gate.hoursChangedAt : null
  const waiting = late.filter((one) => one.refused === null)
  const about = { kind: 'gate late', subject: locationCode }
  if (waiting.length === 0 && hours === null) await endTasksAbout(tx, services, about, { by: null, state: 'done' })
  else
    await keepOpenTask(tx, services, {
      ...about,
      since: Math.max(gate.epochAt, hours ?? 0, ...waiting.map((one) => one.changedAt)),
      note: [
        ...(waiting.length === 0
          ? []
          : [`The gate has not taken the codes of: ${unitsOf(waiting)}. Open it for who calls.`]),
        ...(hours === null ? [] : ['The gate has not taken its new hours: it opens and shuts by the earlier ones.']),
      ].join(' '),
      dueOn,
      locationCode,
    })
  for (const one of gate.waiting) {
    const refused = { kind: 'gate refused', subject: one.codeId }
    // A code that the books have closed need not be stored.
    if (one.refused === null || one.gone || !one.opens) {
      await endTasksAbout(tx, services, refused, { by: null, state: 'done' })
      continue
    }
    await keepOpenTask(tx, services, {
      ...refused,
      since: one.refusedAt ?? one.lateAt ?? 0,
      note: `The gate refuses the code of ${unitsOf([one])}: ${one.refused}. Give another one.`,
      dueOn,
      locationCode,
      ...(one.winner === null && { tenantId: one.tenantId }),
    })
  }
}

/**
 * Counts the connected gates, and how many of them or of their codes are silent, late or refused. The office and the
 * metrics show these counts.
 * @param codes location codes; 'all' for every facility
 */
export async function gateHealth(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  codes: 'all' | readonly string[] = 'all',
): Promise<{ connected: number; silent: number; late: number; lateHours: number; refused: number }> {
  const now = clock.now()
  const gates = await watchedGates(db.read, codes)
  const late = gates.flatMap((gate) => gate.waiting.filter((one) => isLate(gate, one, now)))
  return {
    connected: gates.length,
    silent: gates.filter((gate) => isSilent(gate, now)).length,
    late: late.filter((one) => one.refused === null).length,
    lateHours: gates.filter((gate) => areHoursLate(gate, now)).length,
    refused: late.filter((one) => one.refused !== null).length,
  }
}
