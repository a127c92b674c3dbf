import * as v from 'valibot'
import { grantAt, type StaffCaller } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'

export const taskId = v.pipe(plainLine, v.uuid())

export const task = { task_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c12' }

export const approval = { approval_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c13', location_code: 'ATL01' }

/** Whether a task is the person's, or stands at a facility where they may act on it. */
export const concerns = (
  caller: StaffCaller,
  one: { assigned_to: string | null; location_code: string | null },
): boolean =>
  one.assigned_to === caller.staffId ||
  (one.location_code !== null && ['yes', 'limited'].includes(grantAt(caller, 'note.write', one.location_code) ?? ''))
