import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadTaskToWorkOn, taskExample, taskId } from '../internal/task-input-and-access.ts'
import { officeOperation } from '../office-operation.ts'
import { loadRoles, loadStaffMember } from '../staff-members.ts'

/** Returns whether the staff member has a grant to write notes at the task's facility, or the task has no facility. */
async function worksAt(tx: Kysely<Tables>, staffId: string, locationCode: string | null): Promise<boolean> {
  const facilities = facilitiesFor({ roles: await loadRoles(tx, staffId) }, 'note.write')
  return facilities === 'all' || locationCode === null || facilities.has(locationCode)
}

/** Assigns a task to a staff member of its facility, or makes it unassigned. */
export const AssignTask = officeOperation({
  name: 'AssignTask',
  permission: 'task.assign',
  access: mayAnywhere('task.assign'),
  input: v.object({ task_id: taskId, staff_id: v.union([v.literal(''), v.pipe(plainLine, v.uuid())]) }),
  example: { ...taskExample, staff_id: '' },
  async work(act, { task_id, staff_id }) {
    const { tx } = act
    const task = await loadTaskToWorkOn(act, task_id)
    const assignee = staff_id === '' ? null : await loadStaffMember(tx, staff_id)
    if (staff_id !== '' && (assignee?.state !== 'active' || !(await worksAt(tx, staff_id, task.location_code))))
      throw new RefusalError(recordNotFound)
    const assigned = await tx
      .updateTable('tasks')
      .set({ assigned_to: assignee?.staffId ?? null })
      .where('task_id', '=', task_id)
      .where('state', '=', 'open')
      .returning('task_id')
      .executeTakeFirst()
    if (!assigned) throw refusalError(409, 'done', alreadyDecided)
    await act.audit({
      kind: 'task.assigned',
      details: { kind: task.kind, to: assignee?.name ?? 'everybody' },
      subject: task_id,
      ...(task.location_code !== null && { locationCode: task.location_code }),
    })
    return { assigned: true }
  },
})
