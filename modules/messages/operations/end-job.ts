import * as v from 'valibot'
import { endJob } from '../../../platform/jobs/job-queue.ts'
import { requiredText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { endFailedJob, example, jobId } from '../internal/decide-on-failed-job.ts'

export const EndJob = internalOperation({
  name: 'EndJob',
  access: { staff: mayAnywhere('job.revive') },
  input: v.object({ job_id: jobId, because: requiredText(300) }),
  example: { input: { ...example, because: 'Told by phone.' } },
  run: (services, { job_id, because }, callers) =>
    endFailedJob(services, callers, { jobId: job_id, kind: 'job.ended', reason: because }, (tx) => endJob(tx, job_id)),
})
