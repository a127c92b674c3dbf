import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilitiesFor, mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { concerns, task, taskId } from '../internal/task-input.ts'
import { heldRoles, personById } from '../people.ts'
import { assignTask, taskById } from '../tasks.ts'

/** Returns whether the staff member works at the task's facility. Others could not see what the task is about. */
async function worksAt(tx: Kysely<Tables>, staffId: string, locationCode: string | null): Promise<boolean> {
  const works = facilitiesFor({ roles: await heldRoles(tx, staffId) }, 'note.write')
  return works === 'all' || locationCode === null || works.has(locationCode)
}

export const AssignTask = internalOperation({
  name: 'AssignTask',
  access: { staff: mayAnywhere('task.assign') },
  input: v.object({ task_id: taskId, staff_id: v.union([v.literal(''), v.pipe(plainLine, v.uuid())]) }),
  example: { input: { ...task, staff_id: '' } },
  run: (services, { task_id, staff_id }, callers) =>
    services.db.transaction(async (tx) => {
      const known = await taskById(tx, task_id)
      if (!known || !concerns(staffOf(callers), known)) return notOnFile
      const to = staff_id === '' ? null : await personById(tx, staff_id)
      if (staff_id !== '' && (to?.state !== 'active' || !(await worksAt(tx, staff_id, known.location_code))))
        return notOnFile
      if (!(await assignTask(tx, task_id, to?.staffId ?? null))) return refuse(409, 'done', alreadyDecided)
      await audit(tx, services, staffActor(callers), {
        kind: 'task.assigned',
        details: { kind: known.kind, to: to?.name ?? 'everybody' },
        subject: task_id,
        ...(known.location_code !== null && { locationCode: known.location_code }),
      })
      return succeed({ assigned: true })
    }),
})
