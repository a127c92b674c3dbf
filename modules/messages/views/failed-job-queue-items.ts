import type { Kysely } from 'kysely'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-item-and-query.ts'
import { jobName, loadJobSubjects, noSubject } from '../internal/tenant-and-lease-of-job.ts'

/** Kinds of jobs that send no mail. */
const nonMailKinds = ['gate_code_sms', 'reservation_link_sms', 'send_refund', 'lien_proof_kept']

/** Number of dead jobs that a statement reads, to be filtered by the staff member's facilities. */
const JOBS_PER_STATEMENT = 500

/**
 * Loads the dead jobs of the query's facilities as queue items. Jobs about no facility are loaded only if `codes` is 'all'.
 * @param sendsMail whether to load the jobs that send mail; else the others
 */
export async function loadFailedJobItems(
  { db }: Pick<Services, 'db'>,
  query: QueueQuery,
  sendsMail: boolean,
): Promise<QueueItem[]> {
  const { codes, limit } = query
  if (codes === 'all') return loadDeadJobs(db.read, query, sendsMail)
  const items: QueueItem[] = []
  for (let { after } = query; ; ) {
    const read = await loadDeadJobs(db.read, { ...query, after, limit: JOBS_PER_STATEMENT }, sendsMail)
    items.push(...read.filter(({ locationCode }) => locationCode !== null && codes.includes(locationCode)))
    after = read.at(-1) ?? null
    if (items.length >= limit || read.length < JOBS_PER_STATEMENT) return items.slice(0, limit)
  }
}

/** Loads the dead jobs of all facilities after the cursor as queue items. */
async function loadDeadJobs(
  db: Kysely<Tables>,
  { after, limit, only }: QueueQuery,
  sendsMail: boolean,
): Promise<QueueItem[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'payload', 'last_error', 'done_at', 'created_at'])
    .where('state', '=', 'dead')
    .where('kind', sendsMail ? 'not in' : 'in', nonMailKinds)
    .$call(
      optionalCondition(after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('created_at', 'job_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(only, (query, id) => query.where('job_id', '=', id)))
    .orderBy('created_at')
    .orderBy('job_id')
    .limit(limit)
    .execute()
  const subjects = await loadJobSubjects(db, rows)
  return rows.map((row, index) => ({
    id: row.job_id,
    at: row.created_at,
    due: null,
    cents: null,
    owner: null,
    unit: '',
    what: sendsMail ? `Mail not sent: ${jobName(row.kind)}` : `Failed: ${jobName(row.kind)}`,
    why: row.last_error ?? '',
    ...(subjects[index] ?? noSubject),
  }))
}
