import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { endJob } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { jobExample, jobId, loadFailedJob } from '../internal/load-failed-job.ts'

/** Ends a dead job that is no longer needed. */
export const EndJob = officeOperation({
  name: 'EndJob',
  permission: 'job.revive',
  access: mayAnywhere('job.revive'),
  input: v.object({ job_id: jobId, because: requiredText(300) }),
  example: { ...jobExample, because: 'Told by phone.' },
  async work(act, { job_id, because }) {
    const job = await loadFailedJob(act, job_id)
    if (!(await endJob(act.tx, job_id))) throw refusalError(409, 'decided', alreadyDecided)
    await act.audit({ kind: 'job.ended', ...job, reason: because })
    return { done: true }
  },
})
