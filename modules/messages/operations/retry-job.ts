import * as v from 'valibot'
import { requeueDeadJob } from '../../../platform/jobs/job-queue.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { endFailedJob, example, jobId } from '../internal/decide-on-failed-job.ts'

export const RetryJob = internalOperation({
  name: 'RetryJob',
  access: { staff: mayAnywhere('job.revive') },
  input: v.object({ job_id: jobId }),
  example: { input: example },
  run: (services, { job_id }, callers) =>
    endFailedJob(services, callers, { jobId: job_id, kind: 'job.retried', reason: '' }, (tx) =>
      requeueDeadJob(tx, job_id, services.clock.now()),
    ),
})
