import * as v from 'valibot'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError } from '../../../platform/operations/outcome.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { jobName, loadJobSubjects, noSubject } from './tenant-and-lease-of-job.ts'

export const jobId = v.pipe(plainLine, v.regex(/^[0-9a-f]{32}$/, 'must be a job'))

export const jobExample = { job_id: '0123456789abcdef0123456789abcdef' }

/**
 * Loads a job at the staff member's facilities, as the fields of an audit event about it. A job without a facility
 * requires access to all facilities.
 * @throws RefusalError when there is no such job at these facilities
 */
export async function loadFailedJob({ tx, staff }: Pick<OfficeContext, 'tx' | 'staff'>, jobId: string) {
  const job = await tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirst()
  if (!job) throw new RefusalError(recordNotFound)
  const [{ locationCode, tenantId, leaseNumber } = noSubject] = await loadJobSubjects(tx, [job])
  const allowedFacilities = facilitiesFor(staff, 'job.revive')
  if (allowedFacilities !== 'all' && !allowedFacilities.has(locationCode ?? '')) throw new RefusalError(recordNotFound)
  return {
    details: { kind: jobName(job.kind) },
    subject: jobId,
    ...(locationCode !== null && { locationCode }),
    ...(tenantId !== null && { tenantId }),
    ...(leaseNumber !== null && { leaseNumber }),
  }
}
