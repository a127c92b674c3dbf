import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { mayWorkOnTask, taskExample, taskId } from '../internal/task-input.ts'
import { endTask, loadTask } from '../staff-tasks.ts'

export const CompleteTask = internalOperation({
  name: 'CompleteTask',
  access: { staff: mayAnywhere('note.write') },
  input: v.object({ task_id: taskId }),
  example: { input: taskExample },
  run: (services, { task_id }, callers) =>
    services.db.transaction(async (tx) => {
      const caller = staffOf(callers)
      const task = await loadTask(tx, task_id)
      if (!task || !mayWorkOnTask(caller, task)) return recordNotFound
      if (!(await endTask(tx, services, task_id, { by: caller.staffId, state: 'done' })))
        return refuse(409, 'done', alreadyDecided)
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'task.done',
        details: { kind: task.kind },
        subject: task_id,
        ...(task.location_code !== null && { locationCode: task.location_code }),
        ...(task.tenant_id !== null && { tenantId: task.tenant_id }),
      })
      return succeed({ done: true })
    }),
})
