import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilitiesFor } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { jobName, loadJobSubject } from '../failed-deliveries.ts'

export const jobId = v.pipe(plainLine, v.regex(/^[0-9a-f]{32}$/, 'must be a job'))

export const example = { job_id: '0123456789abcdef0123456789abcdef' }

/**
 * Retries or ends a dead job at the staff member's facilities, as they decided, with an audit event. A job without a
 * facility requires access to all facilities.
 */
export async function endFailedJob(
  services: Services,
  callers: Callers,
  action: { jobId: string; kind: 'job.retried' | 'job.ended'; reason: string },
  end: (tx: Kysely<Tables>) => Promise<boolean>,
) {
  const allowedFacilities = facilitiesFor(staffOf(callers), 'job.revive')
  return services.db.transaction(async (tx) => {
    const job = await tx.selectFrom('jobs').selectAll().where('job_id', '=', action.jobId).executeTakeFirst()
    const subject = job && (await loadJobSubject(tx, job))
    if (!job || !subject) return recordNotFound
    if (allowedFacilities !== 'all' && !allowedFacilities.has(subject.locationCode ?? '')) return recordNotFound
    if (!(await end(tx))) return refuse(409, 'decided', alreadyDecided)
    await writeAuditEvent(tx, services, staffActor(callers), {
      kind: action.kind,
      details: { kind: jobName(job.kind) },
      subject: action.jobId,
      reason: action.reason,
      permission: 'job.revive',
      ...(subject.locationCode !== null && { locationCode: subject.locationCode }),
      ...(subject.tenantId !== null && { tenantId: subject.tenantId }),
      ...(subject.leaseNumber !== null && { leaseNumber: subject.leaseNumber }),
    })
    return succeed({ done: true })
  })
}
