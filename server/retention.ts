import { deleteOldSignIns } from '../modules/accounts/sessions-list.ts'
import { deleteOldMessages } from '../modules/messages/mailbox.ts'
import { deleteOldQuotes } from '../modules/pricing/quotes.ts'
import { deleteOldRequests } from '../modules/staff/approvals.ts'
import { deleteOldEvents } from '../platform/audit/term.ts'
import { deleteOldJobs } from '../platform/jobs/queue.ts'
import type { Services } from '../platform/operations/services.ts'

/** Deletes what only served its day, and of the audit what is past its term. Money and leases are kept. @returns how many rows */
export async function forgetOldRecords(services: Services, stopping: () => boolean): Promise<number> {
  let gone = 0
  const forgetting = [
    deleteOldJobs,
    deleteOldQuotes,
    deleteOldSignIns,
    deleteOldMessages,
    deleteOldEvents,
    deleteOldRequests,
  ]
  for (const forget of forgetting) gone += stopping() ? 0 : await forget(services, stopping)
  return gone
}
