import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { requeueDeadJob } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { jobExample, jobId, loadFailedJob } from '../internal/load-failed-job.ts'

/** Queues a dead job to run again now. */
export const RetryJob = officeOperation({
  name: 'RetryJob',
  permission: 'job.revive',
  access: mayAnywhere('job.revive'),
  input: v.object({ job_id: jobId }),
  example: jobExample,
  async work(act, { job_id }) {
    const { tx, services } = act
    const job = await loadFailedJob(act, job_id)
    if (!(await requeueDeadJob(tx, job_id, services.clock.now()))) throw refusalError(409, 'decided', alreadyDecided)
    await act.audit({ kind: 'job.retried', ...job })
    return { done: true }
  },
})
