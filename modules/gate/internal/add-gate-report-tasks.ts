/** Adds and ends staff tasks about gates, such as for a wrong clock, a second controller, a forced door or a fault. */
import type { Kysely } from 'kysely'
import { DAY, MINUTE } from '../../../domain/durations.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { addTask, endTask, endTasksAbout, endTasksAt, ensureOpenTask } from '../../staff/staff-tasks.ts'
import type { GateEventKind } from '../rules/gate-access.ts'

type TaskServices = Pick<Services, 'clock' | 'random'>

interface GateTask {
  kind: string
  subject?: string
  note: string
}

/**
 * Adds a task about a gate, at most one a day for each kind and subject. Runs in the caller's transaction.
 * @param options.again whether to add another task on the same day once the previous one has ended
 */
async function addGateTask(
  tx: Kysely<Tables>,
  services: TaskServices,
  locationCode: string,
  { kind, subject = '', note }: GateTask,
  { again = false } = {},
): Promise<void> {
  const today = await loadToday(tx, services, locationCode)
  if (today === undefined) return
  const once = [locationCode, subject, today].filter(Boolean).join(':')
  const task = { kind, subject: locationCode, note, dueOn: today, locationCode }
  const endedCount = again ? await countEndedTasks(tx, kind, once) : 0
  await addTask(tx, services, null, { ...task, once: endedCount === 0 ? once : `${once}:${endedCount + 1}` })
}

/**
 * Counts the gate tasks of one kind, subject and day that are no longer open.
 * @param once idempotency key of the first of these tasks; later ones append a number
 */
async function countEndedTasks(tx: Kysely<Tables>, kind: string, once: string): Promise<number> {
  const { count } = await tx
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    // `;` follows `:` in ASCII, so the range holds the keys that begin with `${once}:`.
    .where((eb) => eb.or([eb('once', '=', once), eb.and([eb('once', '>', `${once}:`), eb('once', '<', `${once};`)])]))
    .where('state', '!=', 'open')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Adds a task about a wrong clock, since the gate opens and shuts by it. Runs in the caller's transaction.
 * @param clockError how far the clock runs ahead, in milliseconds; negative where it runs behind
 */
export async function addClockTask(
  tx: Kysely<Tables>,
  services: TaskServices,
  locationCode: string,
  clockError: number,
): Promise<void> {
  const minutes = Math.round(Math.abs(clockError) / MINUTE)
  const days = Math.round(Math.abs(clockError) / DAY)
  const error = days > 1 ? `${days} days` : `${minutes} minutes`
  const [direction, effect] = clockError > 0 ? ['ahead', 'too early'] : ['behind', 'too late']
  await addGateTask(tx, services, locationCode, {
    kind: 'gate clock',
    note: `The clock of the gate runs ${error} ${direction}: the gate opens and shuts ${effect}. Set it right.`,
  })
}

/** Adds a task about events whose ids were used for others, at most one a day. Runs in the caller's transaction. */
export const addUsedIdsTask = (tx: Kysely<Tables>, services: TaskServices, locationCode: string): Promise<void> =>
  addGateTask(tx, services, locationCode, {
    kind: 'gate report',
    subject: 'ids',
    note: 'The gate sends events under ids that were used before, as a new controller that counts from 1 does: they are not taken. Have its installer give its events other ids.',
  })

/**
 * Adds a task about two machine keys that request the list of one gate: only the latest acknowledgement is stored, so it
 * is not known whether the controller with the other key has the list. At most one a day.
 */
export const addSecondControllerTask = (services: Services, locationCode: string): Promise<void> =>
  services.db.transaction((tx) =>
    addGateTask(tx, services, locationCode, {
      kind: 'gate keys',
      note: 'Two keys ask for the list of this gate, so it is not known whether both controllers have it. Connect one controller and revoke the other key.',
    }),
  )

/** Maximum number of units that a task names. */
const UNITS_NAMED = 20

/** Lists unit numbers for a task's note: '101, 102', or the first 20 with the number of the others, ' and 12 more'. */
export const nameUnits = (units: readonly string[]): string =>
  units.slice(0, UNITS_NAMED).join(', ') + (units.length > UNITS_NAMED ? ` and ${units.length - UNITS_NAMED} more` : '')

/**
 * Keeps one open task about the units that the gate's flat file cannot tell apart, and ends the task when no such units
 * are left.
 */
export const reportAlikeUnits = (services: Services, locationCode: string, units: readonly string[]): Promise<void> =>
  services.db.transaction(async (tx) => {
    const about = { kind: 'gate file', subject: locationCode }
    if (units.length === 0) return endTasksAbout(tx, services, about, { by: null, state: 'done' })
    const today = await loadToday(tx, services, locationCode)
    if (today === undefined) return
    await ensureOpenTask(tx, services, {
      ...about,
      // No record says when the units became alike. With 0, a task that staff ended opens again only with another note.
      since: 0,
      note: `The flat file of this gate has six characters for a unit, which are alike for ${nameUnits(units)}. These units are not in it, and their codes do not open: give them other numbers.`,
      dueOn: today,
      locationCode,
    })
  })

const eventPhrases: { [kind in GateEventKind]?: string } = {
  forced: 'was forced open',
  held_open: 'is held open',
  fault: 'reports a fault',
}

/**
 * Adds tasks about events that need a staff member: a gate forced or held open, a fault, or a failed remote opening. At
 * most one a day is open for each point and kind of event. Runs in the caller's transaction.
 */
export async function addReportTasks(
  tx: Kysely<Tables>,
  services: TaskServices,
  locationCode: string,
  events: readonly { what: GateEventKind; point: string; why: string; command: boolean }[],
): Promise<void> {
  const tasks = events.flatMap(({ what, point, why, command }): Required<GateTask>[] => {
    const report = command && what === 'fault' ? 'did not open when the office asked' : eventPhrases[what]
    if (report === undefined) return []
    const note = `The ${point} gate ${report}${why === '' ? '.' : `: ${why}`}`
    return [{ kind: 'gate report', subject: `${point}:${command ? 'command' : what}`, note }]
  })
  // Reversed, so that the first event of each subject is kept.
  const bySubject = new Map(tasks.toReversed().map((task) => [task.subject, task]))
  for (const task of bySubject.values()) await addGateTask(tx, services, locationCode, task, { again: true })
}

const controllerTasks = ['gate silent', 'gate late', 'gate refused', 'gate clock', 'gate keys', 'gate file']

/** Ends a facility's tasks about a gate controller that is no longer connected. Runs in the caller's transaction. */
export const endControllerTasks = (
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  locationCode: string,
): Promise<void> => endTasksAt(tx, services, locationCode, controllerTasks)

const unansweredKey = (locationCode: string, commandId: string): string => `${locationCode}:${commandId}`

/** Adds a task about a remote opening that a gate has not answered in time. Runs in the caller's transaction. */
export async function addUnansweredTask(
  tx: Kysely<Tables>,
  services: TaskServices,
  locationCode: string,
  command: { id: string; point: string; dueOn: IsoDate },
): Promise<void> {
  await addTask(tx, services, null, {
    kind: 'gate report',
    subject: locationCode,
    once: unansweredKey(locationCode, command.id),
    note: `The ${command.point} gate did not answer when the office asked it to open.`,
    dueOn: command.dueOn,
    locationCode,
  })
}

/** Ends the task about a remote opening that a gate has answered too late. Runs in the caller's transaction. */
export async function endUnansweredTask(
  tx: Kysely<Tables>,
  services: TaskServices,
  locationCode: string,
  commandId: string,
): Promise<void> {
  const task = await tx
    .selectFrom('tasks')
    .select('task_id')
    .where('kind', '=', 'gate report')
    .where('once', '=', unansweredKey(locationCode, commandId))
    .executeTakeFirst()
  if (task) await endTask(tx, services, task.task_id, { by: null, state: 'done' })
}
