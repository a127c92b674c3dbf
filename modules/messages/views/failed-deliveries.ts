import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { QueueItem, QueueQuery } from '../../staff/rules/queue-items.ts'
import { jobName, loadJobSubject } from '../internal/tenant-and-lease-of-job.ts'

/** Kinds of jobs that send no mail. */
const nonMailKinds = ['gate_code_sms', 'reservation_link_sms', 'send_refund', 'lien_proof_kept']

/** Maximum number of dead jobs that are read and then filtered by the staff member's facilities. */
const MAX_ROWS = 500

/**
 * Loads dead jobs at facilities as queue items.
 * @param sendsMail whether to load the jobs that send mail; else the others
 */
export async function loadFailedDeliveries(
  { db }: Pick<Services, 'db'>,
  { codes, after, limit, only }: QueueQuery,
  sendsMail: boolean,
): Promise<QueueItem[]> {
  const rows = await db.read
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
    .limit(codes === 'all' ? limit : MAX_ROWS)
    .execute()
  const items: QueueItem[] = []
  for (const row of rows) {
    const subject = await loadJobSubject(db.read, row)
    if (codes !== 'all' && (subject.locationCode === null || !codes.includes(subject.locationCode))) continue
    items.push({
      id: row.job_id,
      at: row.created_at,
      due: null,
      cents: null,
      owner: null,
      unit: '',
      what: sendsMail ? `Mail not sent: ${jobName(row.kind)}` : `Given up: ${jobName(row.kind)}`,
      why: row.last_error ?? '',
      ...subject,
    })
    if (items.length === limit) break
  }
  return items
}
