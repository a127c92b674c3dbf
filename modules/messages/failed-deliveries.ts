/** Lists dead jobs: kind of message, subject, and error of the last attempt. */
import type { Kysely, Selectable } from 'kysely'
import { parseJson } from '../../domain/parse-json.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { JobsTable, Tables } from '../../platform/schema/tables.ts'
import type { QueueItem, QueueQuery } from '../staff/rules/queue-items.ts'

type Job = Pick<Selectable<JobsTable>, 'job_id' | 'kind' | 'payload' | 'last_error' | 'done_at' | 'created_at'>

/** Kinds of jobs that send no mail. */
const nonMailKinds = ['gate_code_sms', 'reservation_link_sms', 'send_refund', 'lien_proof_kept']

export const isMail = (kind: string): boolean => !nonMailKinds.includes(kind)

/** Returns a job kind in words: 'insurance_proof_decided' → 'insurance proof decided'. */
export const jobName = (kind: string): string => kind.replaceAll('_', ' ')

interface JobSubject {
  locationCode: string | null
  tenantId: number | null
  leaseNumber: number | null
}

const noSubject: JobSubject = { locationCode: null, tenantId: null, leaseNumber: null }

type PayloadKeys = Partial<JobSubject> & { orderId?: string; proofId?: string; refundId?: string }

const isNamedPayload = (payload: unknown): payload is PayloadKeys | null => payload === null || isRecord(payload)

/** Loads the facility, tenant and lease that a job's payload names; null for those that it does not name. */
export async function loadJobSubject(db: Kysely<Tables>, { payload }: Pick<Job, 'payload'>): Promise<JobSubject> {
  const keys = parseJson(payload, isNamedPayload)
  if (keys?.locationCode)
    return { ...noSubject, ...keys, locationCode: keys.locationCode, tenantId: keys.tenantId ?? null }
  const order =
    keys?.refundId === undefined
      ? keys?.orderId
      : (await db.selectFrom('refunds').select('order_id').where('refund_id', '=', keys.refundId).executeTakeFirst())
          ?.order_id
  if (order !== undefined) {
    const row = await db
      .selectFrom('payments')
      .select(['location_code', 'tenant_id', 'lease_number'])
      .where('order_id', '=', order)
      .executeTakeFirst()
    return row ? { locationCode: row.location_code, tenantId: row.tenant_id, leaseNumber: row.lease_number } : noSubject
  }
  if (keys?.proofId === undefined) return noSubject
  const proof = await db
    .selectFrom('insurance_proofs')
    .select(['location_code', 'tenant_id'])
    .where('proof_id', '=', keys.proofId)
    .executeTakeFirst()
  return proof ? { ...noSubject, locationCode: proof.location_code, tenantId: proof.tenant_id } : noSubject
}

/** Maximum number of dead jobs that are read to find those of the staff member's facilities. */
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
