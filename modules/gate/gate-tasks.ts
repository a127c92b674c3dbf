/** Adds staff tasks about what a gate reports: a wrong clock, a second controller, a forced door or a fault. */
import { MINUTE } from '../../domain/durations.ts'
import type { Services } from '../../platform/operations/services.ts'
import { loadToday } from '../facilities/facility-facts.ts'
import { addTask } from '../staff/staff-tasks.ts'
import type { GateEventKind } from './rules/gate-access.ts'

/** Adds a task about a gate, at most one a day for each kind and subject. */
async function addGateTask(
  services: Services,
  locationCode: string,
  { kind, subject = '', note }: { kind: string; subject?: string; note: string },
): Promise<void> {
  const today = await loadToday(services.db.read, services, locationCode)
  if (today === undefined) return
  const once = [locationCode, subject, today].filter(Boolean).join(':')
  await services.db.transaction((tx) =>
    addTask(tx, services, null, { kind, subject: locationCode, once, note, dueOn: today, locationCode }),
  )
}

/**
 * Adds a task about a wrong clock, since the gate opens and shuts by it.
 * @param clockError how far the clock runs ahead, in milliseconds; negative where it runs behind
 */
export async function addClockTask(services: Services, locationCode: string, clockError: number): Promise<void> {
  const minutes = Math.round(Math.abs(clockError) / MINUTE)
  const [direction, effect] = clockError > 0 ? ['ahead', 'too early'] : ['behind', 'too late']
  await addGateTask(services, locationCode, {
    kind: 'gate clock',
    note: `The clock of the gate runs ${minutes} minutes ${direction}: the gate opens and shuts ${effect}. Set it right.`,
  })
}

/** Adds a task about two keys that ask for the list of one gate, which shows what either controller has taken. */
export const addSecondControllerTask = (services: Services, locationCode: string): Promise<void> =>
  addGateTask(services, locationCode, {
    kind: 'gate keys',
    note: 'Two keys ask for the list of this gate, so nobody can tell whether both controllers have it. Connect one controller and revoke the other key.',
  })

const reported: { [kind in GateEventKind]?: string } = {
  forced: 'was forced open',
  held_open: 'is held open',
  fault: 'reports a fault',
}

/** Adds tasks about events that need a person: a gate forced or held open, and a fault, also of a remote opening. */
export async function addReportTasks(
  services: Services,
  locationCode: string,
  events: readonly { what: GateEventKind; point: string; why: string; command: boolean }[],
): Promise<void> {
  for (const { what, point, why, command } of events) {
    const report = command && what === 'fault' ? 'did not open when the office asked' : reported[what]
    if (report === undefined) continue
    await addGateTask(services, locationCode, {
      kind: 'gate report',
      subject: `${point}:${command ? 'command' : what}`,
      note: `The ${point} gate ${report}${why === '' ? '.' : `: ${why}`}`,
    })
  }
}
