/** The outbox: jobs written in the transaction that causes them, run at least once. */
import { createHash } from 'node:crypto'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { currentRequest } from '../current-request.ts'
import { deleteInBatches } from '../database/in-batches.ts'
import type { Database } from '../database/open.ts'
import { whenGiven } from '../database/when-given.ts'
import type { Services } from '../operations/services.ts'
import type { JobKind, JobKinds } from '../schema/job-kinds.ts'
import type { Tables } from '../schema/tables.ts'

interface NewJobOf<Kind extends JobKind> {
  kind: Kind
  /** Idempotency key: 'lease:L001:10482:movein_completion'. */
  once: string
  payload: JobKinds[Kind]
  runAt: Instant
  now?: Instant
}

export type NewJob = { [Kind in JobKind]: NewJobOf<Kind> }[JobKind]

/** Somebody waits for it at a screen or a gate: it goes out before receipts that have been due for hours. */
const urgent: ReadonlySet<string> = new Set<JobKind>([
  'reset_code',
  'unlock',
  'confirm_email',
  'register_link',
  'staff_invited',
  'staff_unlock',
  'terms_link',
  'settlement_link',
  'reservation_link_sms',
  'gate_code',
  'gate_code_sms',
])

const waiting = (job: Omit<NewJob, 'kind' | 'payload'> & { kind: string; payload: unknown }) => ({
  // Derived from the key, so no randomness is needed here.
  job_id: createHash('sha256').update(`${job.kind}\u0000${job.once}`).digest('hex').slice(0, 32),
  kind: job.kind,
  once: job.once,
  payload: JSON.stringify(job.payload ?? null),
  state: 'waiting' as const,
  priority: urgent.has(job.kind) ? (1 as const) : (0 as const),
  run_at: job.runAt,
  first_due_at: Math.max(job.runAt, job.now ?? job.runAt),
  attempts: 0,
  created_at: job.now ?? job.runAt,
  request_id: currentRequest()?.id ?? null,
})

/** @returns whether it is new; a job of the same kind and key is never added twice, whatever its state */
export async function enqueue(tx: Kysely<Tables>, job: NewJob): Promise<boolean> {
  return (await enqueueAll(tx, [job])) === 1
}

/** The same for many, in one statement for each 500. @returns how many are new */
export async function enqueueAll(tx: Kysely<Tables>, jobs: readonly NewJob[]): Promise<number> {
  let added = 0
  for (let from = 0; from < jobs.length; from += 500) {
    const rows = await tx
      .insertInto('jobs')
      .values(jobs.slice(from, from + 500).map(waiting))
      .onConflict((clash) => clash.columns(['kind', 'once']).doNothing())
      .returning('job_id')
      .execute()
    added += rows.length
  }
  return added
}

export async function noticeState(
  services: Services,
  kind: string,
  once: string,
): Promise<'none' | 'waiting' | 'sent'> {
  const job = await services.db.read
    .selectFrom('jobs')
    .select('state')
    .where('kind', '=', kind)
    .where('once', '=', once)
    .executeTakeFirst()
  return !job || job.state === 'ended' ? 'none' : job.state === 'done' ? 'sent' : 'waiting'
}

/** Takes back jobs of some kinds that were written in a span of time and have not run. @returns how many */
export async function cancelWaiting(
  tx: Kysely<Tables>,
  of: { kinds: readonly JobKind[]; prefix: string; from: Instant; to: Instant },
): Promise<number> {
  const gone = await tx
    .deleteFrom('jobs')
    .where('state', '=', 'waiting')
    .where('kind', 'in', of.kinds)
    .where('created_at', '>=', of.from)
    .where('created_at', '<=', of.to)
    .where(sql<SqlBool>`substr(once, 1, ${of.prefix.length}) = ${of.prefix}`)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

/** Kinds whose payload holds a person's own words, so that they do not stay when they are done either. */
const personal: JobKind[] = ['passkey_changed', 'change_undone']

/** Removes jobs that have not run, of those that `about` says so of. @returns how many */
export async function removeJobs(tx: Kysely<Tables>, about: (payload: unknown) => boolean): Promise<number> {
  const rows = await tx
    .selectFrom('jobs')
    .select(['job_id', 'payload'])
    .where((eb) => eb.or([eb('state', 'in', ['waiting', 'running', 'dead', 'ended']), eb('kind', 'in', personal)]))
    .execute()
  const gone = rows.filter(({ payload }) => about(JSON.parse(payload))).map(({ job_id }) => job_id)
  if (gone.length > 0) await tx.deleteFrom('jobs').where('job_id', 'in', gone).execute()
  return gone.length
}

export const deadJobs = (db: Database) =>
  db.read
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'once', 'attempts', 'last_error', 'created_at', 'done_at'])
    .where('state', '=', 'dead')
    .orderBy('created_at', 'desc')
    .execute()

/** @returns whether there was such a dead job; it gets all its runs again */
export async function reviveJob(db: Kysely<Tables>, jobId: string, now: Instant): Promise<boolean> {
  const revived = await db
    .updateTable('jobs')
    .set({ state: 'waiting', attempts: 0, run_at: now, first_due_at: now, done_at: null })
    .where('job_id', '=', jobId)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return revived.numUpdatedRows === 1n
}

/**
 * The same for all that were given up, one after another.
 * @param of.since of the instants at which they were given up. @param of.everyMs between two. @returns how many
 */
export async function reviveJobs(
  db: Kysely<Tables>,
  of: { kinds?: readonly string[]; since?: Instant; everyMs: number; now: Instant },
): Promise<number> {
  const revived = await db
    .updateTable('jobs')
    .from((eb) =>
      eb
        .selectFrom('jobs')
        .select(['job_id as id', sql<number>`row_number() over (order by created_at, job_id)`.as('place')])
        .where('state', '=', 'dead')
        .$call(whenGiven(of.kinds, (query, kinds) => query.where('kind', 'in', kinds)))
        .$call(whenGiven(of.since, (query, instant) => query.where('done_at', '>=', instant)))
        .as('dead'),
    )
    .whereRef('jobs.job_id', '=', 'dead.id')
    .set({
      state: 'waiting',
      attempts: 0,
      first_due_at: of.now,
      done_at: null,
      run_at: sql<number>`${of.now} + cast((dead.place - 1) * ${of.everyMs} as bigint)`,
    })
    .executeTakeFirst()
  return Number(revived.numUpdatedRows)
}

/** Dates jobs that a clock ahead wrote after `after` as if they were written now. @returns how many */
export async function redateJobs(db: Kysely<Tables>, after: Instant, now: Instant): Promise<number> {
  const moved = await db
    .updateTable('jobs')
    .set((eb) => ({
      run_at: sql<number>`${eb.ref('run_at')} - (${eb.ref('created_at')} - ${sql.lit(now)})`,
      first_due_at: null,
      created_at: now,
    }))
    .where('state', '=', 'waiting')
    .where('created_at', '>', after)
    // A warning that is due whatever the clock says stays so.
    .where('run_at', '>', 0)
    .executeTakeFirst()
  return Number(moved.numUpdatedRows)
}

const KEPT_MS = 90 * 86_400_000

/** Deletes jobs that were done or ended 90 days ago; those that were given up stay. @returns how many */
export function deleteOldJobs({ db, clock }: Services, stopping: () => boolean): Promise<number> {
  const before = clock.now() - KEPT_MS
  return deleteInBatches((most) => {
    const old = db.write
      .selectFrom('jobs')
      .select('job_id')
      .where('state', 'in', ['done', 'ended'])
      // The index is by it; a job is done after it was due.
      .where('run_at', '<', before)
      .where('done_at', '<', before)
      .limit(most)
    return db.write.deleteFrom('jobs').where('job_id', 'in', old).executeTakeFirstOrThrow()
  }, stopping)
}

/** Gives up a dead job for good. @returns whether there was such a dead job */
export async function endJob(db: Kysely<Tables>, jobId: string): Promise<boolean> {
  const ended = await db
    .updateTable('jobs')
    .set({ state: 'ended' })
    .where('job_id', '=', jobId)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}
