/** Tasks for staff members, such as follow-ups, refunds to pay and gates to look at. */

import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import { splitIntoBatches } from '../../platform/database/split-into-batches.ts'
import { valueList } from '../../platform/database/value-list.ts'
import type { Callers, StaffCaller } from '../../platform/operations/callers.ts'
import { grantAt } from '../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables, TasksTable } from '../../platform/schema/tables.ts'

/** A task to add with `addTask`. */
export interface NewTask {
  /** Kind of task, such as 'follow-up', 'refund' or 'gate silent'. */
  kind: string
  /** Key that makes the task unique within its kind. */
  once: string
  note: string
  dueOn: IsoDate
  locationCode?: string
  tenantId?: number
  leaseNumber?: number
  /** What the task is about besides tenant and lease, such as a refund's id or the location code of a gate. */
  subject?: string
  cents?: Cents
  /** Staff id of the assignee; null leaves the task to any staff member of the facility. */
  assignedTo?: string | null
}

/**
 * Adds a task, unless one of this kind and key exists.
 * @param by callers of the staff member who adds the task; null for the system
 * @returns task id; null when the task existed already
 */
export async function addTask(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  by: Callers | null,
  task: NewTask,
): Promise<string | null> {
  const inserted = await tx
    .insertInto('tasks')
    .values(taskRow(services, by, task))
    .onConflict((conflict) => conflict.columns(['kind', 'once']).doNothing())
    .returning('task_id')
    .executeTakeFirst()
  if (inserted && by)
    await writeAuditEvent(tx, services, staffActor(by), {
      kind: 'task.made',
      details: { kind: task.kind, note: task.note },
      subject: inserted.task_id,
      ...(task.locationCode !== undefined && { locationCode: task.locationCode }),
      ...(task.tenantId !== undefined && { tenantId: task.tenantId }),
      ...(task.leaseNumber !== undefined && { leaseNumber: task.leaseNumber }),
    })
  return inserted?.task_id ?? null
}

const taskRow = (
  services: Pick<Services, 'clock' | 'random'>,
  by: Callers | null,
  task: NewTask,
): Insertable<TasksTable> => ({
  task_id: services.random.uuid(),
  kind: task.kind,
  once: task.once,
  location_code: task.locationCode ?? null,
  tenant_id: task.tenantId ?? null,
  lease_number: task.leaseNumber ?? null,
  subject: task.subject ?? null,
  note: task.note,
  cents: task.cents ?? null,
  assigned_to: task.assignedTo ?? null,
  due_on: task.dueOn,
  created_by: by?.staff?.staffId ?? null,
  created_at: services.clock.now(),
  state: 'open',
  ended_by: null,
  ended_at: null,
})

/** Task about a problem, which has at most one open task; `since` is the instant at which the problem began. */
type ProblemTask = Pick<NewTask, 'kind' | 'note' | 'dueOn' | 'locationCode' | 'tenantId'> & {
  subject: string
  since: Instant
}

/**
 * Adds a task about a problem, or updates the note of its open task. A task that a staff member has ended since the
 * problem began is not opened again until its note changes.
 */
export async function ensureOpenTask(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  problem: ProblemTask,
): Promise<void> {
  const newest = await tasksAbout(tx, problem.kind, [problem.subject]).limit(1).executeTakeFirst()
  if (newest?.state === 'open') await updateNote(tx, newest, problem.note)
  else if (!isSettled(newest, problem)) await addTask(tx, services, null, newTask(services, problem))
}

/**
 * Keeps these tasks of a kind open at a facility, as `ensureOpenTask` does each, and ends the others as done. Runs in
 * the caller's transaction, with a few statements for every 500 tasks that are new or ended, and one for each new note.
 */
export async function syncOpenTasks(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  { kind, locationCode }: { kind: string; locationCode: string },
  tasks: readonly Omit<ProblemTask, 'kind' | 'locationCode'>[],
): Promise<void> {
  const openTasks = await tx
    .selectFrom('tasks')
    .select(['task_id', 'subject', 'note'])
    .where('location_code', '=', locationCode)
    .where('state', '=', 'open')
    .where('kind', '=', kind)
    .execute()
  const problems = new Map(tasks.map((task) => [task.subject, { ...task, kind, locationCode }]))
  const ended: string[] = []
  for (const task of openTasks) {
    const problem = problems.get(task.subject ?? '')
    if (problem) await updateNote(tx, task, problem.note)
    else ended.push(task.task_id)
    problems.delete(task.subject ?? '')
  }
  for (const batch of splitIntoBatches(ended))
    await tx
      .updateTable('tasks')
      .set({ state: 'done', ended_by: null, ended_at: services.clock.now() })
      .where('task_id', 'in', batch)
      .where('state', '=', 'open')
      .execute()
  await addUnsettled(tx, services, kind, [...problems.values()])
}

/** Adds tasks about problems that have no open task, except settled problems (`isSettled`). */
async function addUnsettled(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  kind: string,
  problems: readonly ProblemTask[],
): Promise<void> {
  for (const batch of splitIntoBatches(problems)) {
    const subjects = batch.map(({ subject }) => subject)
    const endedTasks = await tasksAbout(tx, kind, subjects).execute()
    // Oldest first, so that the newest task of a subject replaces the others in the map.
    const newest = new Map(endedTasks.toReversed().map((task) => [task.subject, task]))
    const added = batch.filter((problem) => !isSettled(newest.get(problem.subject), problem))
    if (added.length > 0)
      await tx
        .insertInto('tasks')
        .values(added.map((problem) => taskRow(services, null, newTask(services, problem))))
        .onConflict((conflict) => conflict.columns(['kind', 'once']).doNothing())
        .execute()
  }
}

/** Selects the tasks of a kind about some subjects, newest first. */
const tasksAbout = (tx: Kysely<Tables>, kind: string, subjects: readonly string[]) =>
  tx
    .selectFrom('tasks')
    .select(['task_id', 'subject', 'state', 'note', 'ended_by', 'ended_at'])
    .where('kind', '=', kind)
    .where('subject', 'in', valueList(subjects))
    .orderBy('created_at', 'desc')

const newTask = ({ clock }: Pick<Services, 'clock'>, { since: _, ...task }: ProblemTask): NewTask => ({
  ...task,
  once: `${task.subject}:${clock.now()}`,
})

/**
 * Returns whether a staff member has ended the newest task about a problem since the problem began, and its note is
 * still the same.
 */
const isSettled = (
  newest: Pick<Selectable<TasksTable>, 'ended_by' | 'ended_at' | 'note'> | undefined,
  { since, note }: Pick<ProblemTask, 'since' | 'note'>,
): boolean => newest?.ended_by != null && (newest.ended_at ?? 0) >= since && newest.note === note

async function updateNote(
  tx: Kysely<Tables>,
  task: Pick<Selectable<TasksTable>, 'task_id' | 'note'>,
  note: string,
): Promise<void> {
  if (task.note !== note) await tx.updateTable('tasks').set({ note }).where('task_id', '=', task.task_id).execute()
}

/**
 * Ends a task, in the caller's transaction.
 * @returns the task; null when it was not open
 */
export async function endTask(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  taskId: string,
  { by, state }: { by: string | null; state: 'done' | 'dropped' },
): Promise<Selectable<TasksTable> | null> {
  const row = await tx
    .updateTable('tasks')
    .set({ state, ended_by: by, ended_at: services.clock.now() })
    .where('task_id', '=', taskId)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Ends the open tasks of a kind about a subject, in the caller's transaction. */
export async function endTasksAbout(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  { kind, subject }: { kind: string; subject: string },
  { by, state }: { by: string | null; state: 'done' | 'dropped' },
): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ state, ended_by: by, ended_at: services.clock.now() })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('state', '=', 'open')
    .execute()
}

/** Ends the open tasks of some kinds at a facility as done, in the caller's transaction. */
export async function endTasksAt(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  locationCode: string,
  kinds: readonly string[],
): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ state: 'done', ended_by: null, ended_at: services.clock.now() })
    .where('kind', 'in', kinds)
    .where('location_code', '=', locationCode)
    .where('state', '=', 'open')
    .execute()
}

/**
 * Unassigns a staff member's open tasks outside these facilities; for 'all' none, otherwise also tasks without a
 * facility.
 */
export async function releaseTasks(
  tx: Kysely<Tables>,
  staffId: string,
  facilities: 'all' | ReadonlySet<string>,
): Promise<void> {
  if (facilities === 'all') return
  await tx
    .updateTable('tasks')
    .set({ assigned_to: null })
    .where('assigned_to', '=', staffId)
    .where('state', '=', 'open')
    // '' is no facility's code; it keeps the list from being empty, which PostgreSQL does not allow.
    .where((eb) => eb.or([eb('location_code', 'is', null), eb('location_code', 'not in', ['', ...facilities])]))
    .execute()
}

/**
 * Returns whether the staff member has a permission for a tenant. A grant of 'own' holds while an open task about the
 * tenant is assigned to the staff member.
 */
export async function hasPermissionForTenant(
  db: Kysely<Tables>,
  caller: StaffCaller,
  permission: Permission,
  tenantKey: { locationCode: string; tenantId: number },
): Promise<boolean> {
  const grant = grantAt(caller, permission, tenantKey.locationCode)
  return grant === 'own' ? hasOwnTask(db, caller.staffId, tenantKey) : grant !== undefined
}

/** Returns whether an open task about the tenant is assigned to the staff member. */
async function hasOwnTask(
  db: Kysely<Tables>,
  staffId: string,
  tenantKey: { locationCode: string; tenantId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('task_id')
    .where((eb) =>
      eb.and({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId, assigned_to: staffId }),
    )
    .where('state', '=', 'open')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns up to 20 open tasks about a tenant with the assignee's name, earliest due day first. */
export const loadOpenTasksAbout = (db: Kysely<Tables>, tenantKey: { locationCode: string; tenantId: number }) =>
  db
    .selectFrom('tasks')
    .leftJoin('staff', 'staff.staff_id', 'tasks.assigned_to')
    .select(['task_id', 'kind', 'note', 'due_on', 'assigned_to', 'cents', 'staff.name'])
    .where((eb) => eb.and({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId }))
    .where('state', '=', 'open')
    .orderBy('due_on')
    .limit(20)
    .execute()
