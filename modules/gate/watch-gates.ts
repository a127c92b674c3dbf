/** Watches for silent gates and refused codes: creates tasks, and mails tenants whose page had said 'not yet'. */
import type { Kysely } from 'kysely'
import { formatInstantIn, type Instant, todayIn } from '../../domain/dates.ts'
import { HOUR } from '../../domain/durations.ts'
import { isTextList, parseJson } from '../../domain/parse-json.ts'
import { formatShort } from '../../domain/plain-date.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { winnerOfListedCode } from '../links/auction-sales.ts'
import { addTask, endTasksAbout } from '../staff/staff-tasks.ts'
import { addUnansweredTask } from './gate-tasks.ts'
import { GATE_CONTACT_MAX_MS, GATE_OFFLINE_AFTER_MS, GATE_PENDING_MAX_MS } from './rules/gate-contact.ts'

/** A connected gate with the codes that it has not accepted. */
interface Watched {
  locationCode: string
  zone: string
  epoch: string
  appliedVersion: number
  heardAt: Instant | null
  connectedAt: Instant
  waiting: WaitingCode[]
}

interface WaitingCode {
  codeId: string
  /** null for the code of an auction winner, who is no tenant. */
  tenantId: number | null
  opens: boolean
  gone: boolean
  units: string[]
  version: number
  changedAt: Instant
  refused: string | null
  refusedAt: Instant | null
  lateAt: Instant | null
}

const isSilent = (gate: Pick<Watched, 'heardAt' | 'connectedAt'>, now: Instant): boolean =>
  (gate.heardAt ?? gate.connectedAt) < now - GATE_OFFLINE_AFTER_MS

const isTaken = (gate: Watched, code: WaitingCode): boolean =>
  code.refused === null && code.version <= gate.appliedVersion

/** Returns whether a tenant reads of this code that the gate has not taken it yet. */
const isLate = (gate: Watched, code: WaitingCode, now: Instant): boolean =>
  code.opens &&
  !code.gone &&
  !isTaken(gate, code) &&
  (code.refused !== null ||
    code.changedAt < now - GATE_PENDING_MAX_MS ||
    (gate.heardAt ?? gate.connectedAt) < now - GATE_CONTACT_MAX_MS)

/** Loads the connected gates with the codes that they have not taken, or had not when they were last looked at. */
async function watchedGates(db: Kysely<Tables>): Promise<Watched[]> {
  const gates = await db
    .selectFrom('gates')
    .select(['location_code', 'zone', 'epoch', 'applied_version', 'heard_at', 'connected_at'])
    .where('kind', '!=', 'none')
    .execute()
  const codes = await db
    .selectFrom('gate_wanted')
    .innerJoin('gates', 'gates.location_code', 'gate_wanted.location_code')
    .select(['gate_wanted.location_code', 'code_id', 'opens', 'gone', 'units', 'gate_wanted.version'])
    .select((eb) =>
      eb
        .case()
        .when(eb.exists(winnerOfListedCode(db)))
        .then(null)
        .else(eb.ref('tenant_id'))
        .end()
        .as('owner'),
    )
    .select(['gate_wanted.changed_at', 'refused', 'refused_at', 'late_at'])
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
    epoch: gate.epoch,
    appliedVersion: gate.applied_version,
    heardAt: gate.heard_at,
    connectedAt: gate.connected_at,
    waiting: (byGate.get(gate.location_code) ?? []).map((one) => ({
      codeId: one.code_id,
      tenantId: one.owner,
      opens: one.opens === 1,
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
  const now = services.clock.now()
  const late = gate.waiting.filter((one) => isLate(gate, one, now))
  await tellOfSilence(tx, services, gate)
  await tellOfLapsedOpenings(tx, services, gate, lapsed)
  await tellOfLateCodes(tx, services, gate, late)
  for (const one of late.filter(({ lateAt }) => lateAt === null)) await setLate(tx, gate, one.codeId, now)
  let mails = 0
  for (const one of gate.waiting) {
    if (one.lateAt === null || late.includes(one)) continue
    await setLate(tx, gate, one.codeId, null)
    if (!one.opens || one.gone || one.tenantId === null || !isTaken(gate, one)) continue
    await enqueue(tx, {
      kind: 'gate_ready',
      once: `${gate.locationCode}:${one.codeId}:${gate.epoch}:${one.version}`,
      payload: { locationCode: gate.locationCode, tenantId: one.tenantId },
      runAt: now,
    })
    mails += 1
  }
  return mails
}

const setLate = (tx: Kysely<Tables>, { locationCode }: Watched, codeId: string, at: Instant | null) =>
  tx
    .updateTable('gate_wanted')
    .set({ late_at: at })
    .where('location_code', '=', locationCode)
    .where('code_id', '=', codeId)
    .execute()

const unitsOf = (codes: readonly WaitingCode[]): string =>
  [...new Set(codes.flatMap((code) => code.units))].join(', ') || 'no unit any more'

/** Creates a task for each silence of a gate. It lists codes that still open the gate although they should not. */
async function tellOfSilence(tx: Kysely<Tables>, services: Services, gate: Watched): Promise<void> {
  const { locationCode, zone, heardAt } = gate
  const now = services.clock.now()
  const about = { kind: 'gate silent', subject: locationCode }
  if (!isSilent(gate, now)) return endTasksAbout(tx, services, about, { by: null, state: 'done' })
  const shut = gate.waiting.filter((one) => (!one.opens || one.gone) && one.version > gate.appliedVersion)
  const since =
    heardAt === null ? 'never' : `last ${formatShort(todayIn(zone, heardAt))} ${formatInstantIn(zone, heardAt)}`
  await addTask(tx, services, null, {
    ...about,
    once: `${locationCode}:${heardAt ?? gate.connectedAt}`,
    note: `The gate was heard ${since}. It goes on by its last list.${shut.length === 0 ? '' : ` It still opens, though the books have closed it, for: ${unitsOf(shut)}.`}`,
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
  const dueOn = todayIn(zone, services.clock.now())
  const waiting = late.filter((one) => one.refused === null)
  const about = { kind: 'gate late', subject: locationCode }
  if (waiting.length === 0) await endTasksAbout(tx, services, about, { by: null, state: 'done' })
  else
    await addTask(tx, services, null, {
      ...about,
      once: `${locationCode}:${gate.epoch}:${gate.appliedVersion}`,
      note: `The gate has not taken the codes of: ${unitsOf(waiting)}. Open it for who calls.`,
      dueOn,
      locationCode,
    })
  for (const one of gate.waiting) {
    const refused = { kind: 'gate refused', subject: one.codeId }
    if (one.refused === null || one.gone) {
      await endTasksAbout(tx, services, refused, { by: null, state: 'done' })
      continue
    }
    await addTask(tx, services, null, {
      ...refused,
      once: [locationCode, one.codeId, one.refusedAt].filter((part) => part !== null).join(':'),
      note: `The gate refuses the code of ${unitsOf([one])}: ${one.refused}. Give another one.`,
      dueOn,
      locationCode,
      ...(one.tenantId !== null && { tenantId: one.tenantId }),
    })
  }
}

/** Counts of connected gates, for people and metrics. @param codes facilities; 'all' for every one */
export async function gateHealth(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  codes: 'all' | readonly string[] = 'all',
): Promise<{ connected: number; silent: number; late: number; refused: number }> {
  const now = clock.now()
  const gates = (await watchedGates(db.read)).filter(
    ({ locationCode }) => codes === 'all' || codes.includes(locationCode),
  )
  const late = gates.flatMap((gate) => gate.waiting.filter((one) => isLate(gate, one, now)))
  return {
    connected: gates.length,
    silent: gates.filter((gate) => isSilent(gate, now)).length,
    late: late.filter((one) => one.refused === null).length,
    refused: late.filter((one) => one.refused !== null).length,
  }
}
