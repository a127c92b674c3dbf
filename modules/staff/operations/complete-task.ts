import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { loadTaskToWorkOn, taskExample, taskId } from '../internal/task-input-and-access.ts'
import { officeOperation } from '../office-operation.ts'
import { endTask } from '../staff-tasks.ts'

/** Ends a task as done. */
export const CompleteTask = officeOperation({
  name: 'CompleteTask',
  permission: 'note.write',
  access: mayAnywhere('note.write'),
  input: v.object({ task_id: taskId }),
  example: taskExample,
  async work(act, { task_id }) {
    const { tx, services, staff } = act
    const task = await loadTaskToWorkOn(act, task_id)
    if (!(await endTask(tx, services, task_id, { by: staff.staffId, state: 'done' })))
      throw refusalError(409, 'done', alreadyDecided)
    await act.audit({
      kind: 'task.done',
      details: { kind: task.kind },
      subject: task_id,
      ...(task.location_code !== null && { locationCode: task.location_code }),
      ...(task.tenant_id !== null && { tenantId: task.tenant_id }),
    })
    return { done: true }
  },
})
