/** Operations of waiting work: tasks and approvals. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { alreadyDecided, openToSee } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { facilitiesFor, grantAt, may, mayAnywhere, type StaffCaller } from '../../../platform/operations/callers.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { approvalById, turnDownApproval } from '../approvals.ts'
import { heldRoles, personById } from '../people.ts'
import { assignTask, endTask, taskById } from '../tasks.ts'

const taskId = v.pipe(v.string(), v.uuid())
const task = { task_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c12' }
const approval = { approval_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c13', location_code: 'ATL01' }

/** Whether a task is the person's, or stands at a facility where they may act on it. */
const concerns = (caller: StaffCaller, one: { assigned_to: string | null; location_code: string | null }): boolean =>
  one.assigned_to === caller.staffId ||
  (one.location_code !== null && ['yes', 'limited'].includes(grantAt(caller, 'note.write', one.location_code) ?? ''))

/** Who works elsewhere alone does not get the task: they would not see what it is about. */
async function worksAt(tx: Kysely<Tables>, staffId: string, locationCode: string | null): Promise<boolean> {
  const works = facilitiesFor({ roles: await heldRoles(tx, staffId) }, 'note.write')
  return works === 'all' || locationCode === null || works.has(locationCode)
}

export const CompleteTask = internalOperation({
  name: 'CompleteTask',
  access: { staff: mayAnywhere('note.write') },
  input: v.object({ task_id: taskId }),
  example: { input: task },
  run: (services, { task_id }, callers) =>
    services.db.transaction(async (tx) => {
      const caller = callers.staff as StaffCaller
      const known = await taskById(tx, task_id)
      if (!known || !concerns(caller, known)) return notOnFile
      if (!(await endTask(tx, services, task_id, { by: caller.staffId, state: 'done' })))
        return refuse(409, 'done', alreadyDecided)
      await audit(tx, services, staffActor(callers), {
        kind: 'task.done',
        details: { kind: known.kind },
        subject: task_id,
        ...(known.location_code !== null && { locationCode: known.location_code }),
        ...(known.tenant_id !== null && { tenantId: known.tenant_id }),
      })
      return succeed({ done: true })
    }),
})

export const AssignTask = internalOperation({
  name: 'AssignTask',
  access: { staff: mayAnywhere('task.assign') },
  input: v.object({ task_id: taskId, staff_id: v.union([v.literal(''), v.pipe(v.string(), v.uuid())]) }),
  example: { input: { ...task, staff_id: '' } },
  run: (services, { task_id, staff_id }, callers) =>
    services.db.transaction(async (tx) => {
      const known = await taskById(tx, task_id)
      if (!known || !concerns(callers.staff as StaffCaller, known)) return notOnFile
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

export const DecideApproval = internalOperation({
  name: 'DecideApproval',
  access: { staff: may('approval.decide') },
  freshFactor: true,
  input: v.object({
    approval_id: v.pipe(v.string(), v.uuid()),
    location_code: locationCode(),
    decision: v.picklist(['approve', 'refuse']),
    because: v.pipe(plainLine, v.trim(), v.maxLength(500)),
    /** What the request's page showed of the records; '' where the request alone was shown. */
    seen: v.optional(v.pipe(plainLine, v.maxLength(1000)), ''),
  }),
  example: { input: { ...approval, decision: 'approve', because: '' } },
  async run(services, { approval_id, location_code, decision, because, seen }, callers) {
    const asked = await approvalById(services, approval_id)
    if (asked?.locationCode !== location_code) return notOnFile
    if (decision === 'refuse') {
      const refused = await turnDownApproval(services, callers, approval_id, { because, withdraw: false })
      return refused ?? succeed({ decided: true })
    }
    if (asked.state !== 'open') return refuse(409, 'decided', alreadyDecided)
    if (!services.approvedAct) throw new Error('No operation can be approved here')
    const by = { ...callers, approval: approval_id, ...(seen !== '' && { seen }) }
    const outcome = await services.approvedAct(asked.operation, asked.input, by)
    if (outcome.ok) return succeed({ decided: true })
    return outcome.code === 'changed' && seen === '' ? { ...outcome, message: openToSee(outcome.message) } : outcome
  },
})

export const WithdrawApproval = internalOperation({
  name: 'WithdrawApproval',
  access: { staff: may('file.read') },
  input: v.object({ approval_id: v.pipe(v.string(), v.uuid()), location_code: locationCode() }),
  example: { input: approval },
  async run(services, { approval_id, location_code }, callers) {
    if ((await approvalById(services, approval_id))?.locationCode !== location_code) return notOnFile
    const refused = await turnDownApproval(services, callers, approval_id, { because: '', withdraw: true })
    return refused ?? succeed({ withdrawn: true })
  },
})

export const queueOperations = [CompleteTask, AssignTask, DecideApproval, WithdrawApproval]
