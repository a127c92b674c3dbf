import { deleteOldSignIns } from '../modules/accounts/live-sign-ins.ts'
import { deleteOldMessages } from '../modules/notices/mailbox.ts'
import { deleteOldQuotes } from '../modules/pricing/quotes.ts'
import { deleteOldJobs } from '../platform/jobs/queue.ts'
import type { Services } from '../platform/operations/services.ts'

/** Deletes what only served its day. Money, leases and the audit are kept for ever. @returns how many rows */
export async function forgetOldRecords(services: Services, stopping: () => boolean): Promise<number> {
  let gone = 0
  for (const forget of [deleteOldJobs, deleteOldQuotes, deleteOldSignIns, deleteOldMessages])
    gone += await forget(services, stopping)
  return gone
}
