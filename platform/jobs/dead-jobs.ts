import type { Instant } from '../../domain/dates.ts'
import type { Database } from '../database/open.ts'
import type { JobsTable } from '../schema/tables.ts'

/** Jobs that were given up, newest first, for the operator. */
export async function deadJobs(
  db: Database,
): Promise<Pick<JobsTable, 'job_id' | 'kind' | 'once' | 'attempts' | 'last_error' | 'created_at' | 'done_at'>[]> {
  return db.read
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'once', 'attempts', 'last_error', 'created_at', 'done_at'])
    .where('state', '=', 'dead')
    .orderBy('created_at', 'desc')
    .execute()
}

/** @returns whether there was such a dead job; it gets all its runs again */
export async function reviveJob(db: Database, jobId: string, now: Instant): Promise<boolean> {
  const revived = await db.write
    .updateTable('jobs')
    .set({ state: 'waiting', attempts: 0, run_at: now, done_at: null })
    .where('job_id', '=', jobId)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return revived.numUpdatedRows === 1n
}
