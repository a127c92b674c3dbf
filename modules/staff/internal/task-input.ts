import * as v from 'valibot'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'

export const taskId = v.pipe(plainLine, v.uuid())

/** Example input that names a task. */
export const taskExample = { task_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c12' }

/** Example input that names an approval request. */
export const approvalExample = { approval_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c13', location_code: 'ATL01' }

/** Returns whether a task is assigned to the staff member or belongs to a facility where they may write notes. */
export const mayWorkOnTask = (
  caller: StaffCaller,
  task: { assigned_to: string | null; location_code: string | null },
): boolean =>
  task.assigned_to === caller.staffId ||
  (task.location_code !== null && ['yes', 'limited'].includes(grantAt(caller, 'note.write', task.location_code) ?? ''))
