import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { TasksTable } from '../../../platform/schema/tables.ts'
import type { OfficeContext } from '../office-operation.ts'

export const taskId = v.pipe(plainLine, v.uuid())

/** Example input that names a task. */
export const taskExample = { task_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c12' }

/** Example input that names an approval request. */
export const approvalExample = { approval_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c13', location_code: 'ATL01' }

/**
 * Loads a task that is assigned to the staff member, or belongs to a facility where they may write notes on every tenant.
 * @throws RefusalError with 404 for another or an unknown task
 */
export async function loadTaskToWorkOn({ tx, staff }: OfficeContext, id: string): Promise<Selectable<TasksTable>> {
  const task = await tx.selectFrom('tasks').selectAll().where('task_id', '=', id).executeTakeFirst()
  const isOwn = task?.assigned_to === staff.staffId
  const grant = task && task.location_code !== null ? grantAt(staff, 'note.write', task.location_code) : undefined
  if (!task || !(isOwn || grant === 'yes' || grant === 'limited')) throw new RefusalError(recordNotFound)
  return task
}
