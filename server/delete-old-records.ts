import { deleteOldSignIns } from '../modules/accounts/active-sign-ins.ts'
import { deleteOldGateRecords } from '../modules/gate/gate-events.ts'
import { deleteOldMessages } from '../modules/messages/development-mailbox.ts'
import { deleteOldQuotes } from '../modules/pricing/stored-quotes.ts'
import { deleteOldRequests } from '../modules/staff/approvals.ts'
import { deleteOldEvents } from '../platform/audit/audit-retention.ts'
import { deleteOldJobs } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../platform/operations/services.ts'

/**
 * Deletes short-lived records, and audit events past their retention period; never money or leases.
 * @returns the number of rows
 */
export async function deleteOldRecords(services: Services, stopping: () => boolean): Promise<number> {
  let deleted = 0
  const deletions = [
    deleteOldJobs,
    deleteOldQuotes,
    deleteOldSignIns,
    deleteOldMessages,
    deleteOldEvents,
    deleteOldRequests,
    deleteOldGateRecords,
  ]
  for (const deleteOld of deletions) deleted += stopping() ? 0 : await deleteOld(services, stopping)
  return deleted
}
