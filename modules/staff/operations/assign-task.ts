import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { mayWorkOnTask, taskExample, taskId } from '../internal/task-input.ts'
import { loadRoles, loadStaffMember } from '../staff-members.ts'
import { assignTask, loadTask } from '../staff-tasks.ts'

/** Returns whether the staff member may write notes at the task's facility. Others could not see the task's subject. */
async function worksAt(tx: Kysely<Tables>, staffId: string, locationCode: string | null): Promise<boolean> {
  const facilities = facilitiesFor({ roles: await loadRoles(tx, staffId) }, 'note.write')
  return facilities === 'all' || locationCode === null || facilities.has(locationCode)
}

export const AssignTask = internalOperation({
  name: 'AssignTask',
  access: { staff: mayAnywhere('task.assign') },
  input: v.object({ task_id: taskId, staff_id: v.union([v.literal(''), v.pipe(plainLine, v.uuid())]) }),
  example: { input: { ...taskExample, staff_id: '' } },
  run: (services, { task_id, staff_id }, callers) =>
    services.db.transaction(async (tx) => {
      const task = await loadTask(tx, task_id)
      if (!task || !mayWorkOnTask(staffOf(callers), task)) return recordNotFound
      const assignee = staff_id === '' ? null : await loadStaffMember(tx, staff_id)
      if (staff_id !== '' && (assignee?.state !== 'active' || !(await worksAt(tx, staff_id, task.location_code))))
        return recordNotFound
      if (!(await assignTask(tx, task_id, assignee?.staffId ?? null))) return refuse(409, 'done', alreadyDecided)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'task.assigned',
        details: { kind: task.kind, to: assignee?.name ?? 'everybody' },
        subject: task_id,
        ...(task.location_code !== null && { locationCode: task.location_code }),
      })
      return succeed({ assigned: true })
    }),
})
