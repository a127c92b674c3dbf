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
import { assignTask, taskById } from '../staff-tasks.ts'

/** Returns whether the staff member works at the task's facility. Others could not see what the task is about. */
async function worksAt(tx: Kysely<Tables>, staffId: string, locationCode: string | null): Promise<boolean> {
  const works = facilitiesFor({ roles: await loadRoles(tx, staffId) }, 'note.write')
  return works === 'all' || locationCode === null || works.has(locationCode)
}

export const AssignTask = internalOperation({
  name: 'AssignTask',
  access: { staff: mayAnywhere('task.assign') },
  input: v.object({ task_id: taskId, staff_id: v.union([v.literal(''), v.pipe(plainLine, v.uuid())]) }),
  example: { input: { ...taskExample, staff_id: '' } },
  run: (services, { task_id, staff_id }, callers) =>
    services.db.transaction(async (tx) => {
      const known = await taskById(tx, task_id)
      if (!known || !mayWorkOnTask(staffOf(callers), known)) return recordNotFound
      const to = staff_id === '' ? null : await loadStaffMember(tx, staff_id)
      if (staff_id !== '' && (to?.state !== 'active' || !(await worksAt(tx, staff_id, known.location_code))))
        return recordNotFound
      if (!(await assignTask(tx, task_id, to?.staffId ?? null))) return refuse(409, 'done', alreadyDecided)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'task.assigned',
        details: { kind: known.kind, to: to?.name ?? 'everybody' },
        subject: task_id,
        ...(known.location_code !== null && { locationCode: known.location_code }),
      })
      return succeed({ assigned: true })
    }),
})
