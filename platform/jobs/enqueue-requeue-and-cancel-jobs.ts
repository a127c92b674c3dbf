/** The outbox of jobs, which are written in the transaction that causes them and run at least once. */

import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { currentRequest } from '../current-request.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import type { Database } from '../database/open.ts'
import { optionalCondition } from '../database/optional-condition.ts'
import type { MessageState } from '../operations/mail-state-response.ts'
import type { Services } from '../operations/services.ts'
import type { JobKind, JobKinds } from '../schema/job-kinds.ts'
import type { JobState } from '../schema/narrowed-column-types.ts'
import type { Tables } from '../schema/tables.ts'

interface NewJobOf<Kind extends JobKind> {
  kind: Kind
  /** Idempotency key, unique for each kind, such as '<location code>:<lease number>'. */
  once: string
  payload: JobKinds[Kind]
  /** When the job is due; 0 if it is due whatever the clock says. */
  runAt: Instant
  /** Time of creation; `runAt` if omitted. */
  now?: Instant
}

export type NewJob = { [Kind in JobKind]: NewJobOf<Kind> }[JobKind]

/** Kinds of jobs for which a person waits at a screen or gate; until an attempt fails, they run before other due jobs. */
const urgentKinds: ReadonlySet<string> = new Set<JobKind>([
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

/** Returns the row of a new job. */
const waitingRow = (job: Omit<NewJob, 'kind' | 'payload'> & { kind: string; payload: unknown }) => ({
  // The id is derived from the idempotency key, so no randomness is needed.
  job_id: createHash('sha256').update(`${job.kind}\u0000${job.once}`).digest('hex').slice(0, 32),
  kind: job.kind,
  once: job.once,
  payload: JSON.stringify(job.payload ?? null),
  state: 'waiting' as const,
  priority: urgentKinds.has(job.kind) ? (1 as const) : (0 as const),
  run_at: job.runAt,
  first_due_at: Math.max(job.runAt, job.now ?? job.runAt),
  attempts: 0,
  created_at: job.now ?? job.runAt,
  request_id: currentRequest()?.id ?? null,
})

/**
 * Adds a job to the outbox.
 * @returns false if a job of this kind and key exists, whatever its state
 */
export async function enqueue(tx: Kysely<Tables>, job: NewJob): Promise<boolean> {
  return (await enqueueAll(tx, [job])) === 1
}

/** Adds jobs with one statement for every 500, without those that exist already. @returns the number of new jobs */
export async function enqueueAll(tx: Kysely<Tables>, jobs: readonly NewJob[]): Promise<number> {
  let added = 0
  for (let from = 0; from < jobs.length; from += 500) {
    const rows = await tx
      .insertInto('jobs')
      .values(jobs.slice(from, from + 500).map(waitingRow))
      .onConflict((conflict) => conflict.columns(['kind', 'once']).doNothing())
      .returning('job_id')
      .execute()
    added += rows.length
  }
  return added
}

/**
 * Returns the common state of several messages, from the states of their jobs. Ended jobs do not count: 'none' without
 * other jobs, 'failed' if one is dead, 'sent' if all are done, else 'waiting', also while one runs.
 */
export function messageStateOf(jobStates: readonly JobState[]): MessageState {
  const states = jobStates.filter((state) => state !== 'ended')
  if (states.length === 0) return 'none'
  if (states.includes('dead')) return 'failed'
  return states.every((state) => state === 'done') ? 'sent' : 'waiting'
}

/** Returns the state of a mail or text message by its job's kind and idempotency key. */
export async function loadMessageState(services: Services, kind: string, once: string): Promise<MessageState> {
  const jobs = await services.db.read
    .selectFrom('jobs')
    .select('state')
    .where('kind', '=', kind)
    .where('once', '=', once)
    .execute()
  return messageStateOf(jobs.map(({ state }) => state))
}

/** Deletes those of the jobs that are waiting. @returns the number of jobs */
export async function cancelWaiting(tx: Kysely<Tables>, jobIds: readonly string[]): Promise<number> {
  let deleted = 0
  for (let from = 0; from < jobIds.length; from += 500) {
    const { numDeletedRows } = await tx
      .deleteFrom('jobs')
      .where('state', '=', 'waiting')
      .where('job_id', 'in', jobIds.slice(from, from + 500))
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
  }
  return deleted
}

/** Kinds of jobs whose payload contains a tenant's personal data; an erasure deletes them even after they have run. */
const personalKinds: JobKind[] = ['passkey_changed', 'change_undone']

/**
 * Deletes the jobs whose payload matches `isAbout` and that are not done or are of a personal kind.
 * @returns the number of jobs
 */
export async function deleteJobsAbout(tx: Kysely<Tables>, isAbout: (payload: unknown) => boolean): Promise<number> {
  const rows = await tx
    .selectFrom('jobs')
    .select(['job_id', 'payload'])
    .where((eb) => eb.or([eb('state', 'in', ['waiting', 'running', 'dead', 'ended']), eb('kind', 'in', personalKinds)]))
    .execute()
  const matching = rows.filter(({ payload }) => isAbout(JSON.parse(payload))).map(({ job_id }) => job_id)
  if (matching.length > 0) await tx.deleteFrom('jobs').where('job_id', 'in', matching).execute()
  return matching.length
}

/** Returns the dead jobs, the latest created first. */
export const listDeadJobs = (db: Database) =>
  db.read
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'once', 'attempts', 'last_error', 'created_at', 'done_at'])
    .where('state', '=', 'dead')
    .orderBy('created_at', 'desc')
    .execute()

/**
 * Queues a dead job again, with its attempts counted from 0.
 * @returns false if there is no such dead job
 */
export async function requeueDeadJob(db: Kysely<Tables>, jobId: string, now: Instant): Promise<boolean> {
  const requeued = await db
    .updateTable('jobs')
    .set({ state: 'waiting', attempts: 0, run_at: now, first_due_at: now, done_at: null })
    .where('job_id', '=', jobId)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return requeued.numUpdatedRows === 1n
}

/**
 * Queues dead jobs again, one every `everyMs`.
 * @param filter.kinds kinds of jobs; all if omitted
 * @param filter.since earliest instant at which a job became dead; any if omitted
 * @param filter.everyMs milliseconds between the due times of two jobs
 * @returns the number of jobs
 */
export async function requeueDeadJobs(
  db: Kysely<Tables>,
  filter: { kinds?: readonly string[]; since?: Instant; everyMs: number; now: Instant },
): Promise<number> {
  const requeued = await db
    .updateTable('jobs')
    .from((eb) =>
      eb
        .selectFrom('jobs')
        .select(['job_id as id', sql<number>`row_number() over (order by created_at, job_id)`.as('rank')])
        .where('state', '=', 'dead')
        .$call(optionalCondition(filter.kinds, (query, kinds) => query.where('kind', 'in', kinds)))
        .$call(optionalCondition(filter.since, (query, instant) => query.where('done_at', '>=', instant)))
        .as('dead'),
    )
    .whereRef('jobs.job_id', '=', 'dead.id')
    .set({
      state: 'waiting',
      attempts: 0,
      first_due_at: filter.now,
      done_at: null,
      run_at: sql<number>`${filter.now} + cast((dead.rank - 1) * ${filter.everyMs} as bigint)`,
    })
    .executeTakeFirst()
  return Number(requeued.numUpdatedRows)
}

/**
 * Moves waiting jobs back in time that were created after `after`, when the clock was ahead, as if they were created
 * now. A job that is due whatever the clock says stays so.
 * @returns the number of moved jobs
 */
export async function correctFutureJobTimes(db: Kysely<Tables>, after: Instant, now: Instant): Promise<number> {
  const corrected = await db
    .updateTable('jobs')
    .set((eb) => {
      const moved = (time: 'run_at' | 'first_due_at') =>
        sql<number>`${eb.ref(time)} - (${eb.ref('created_at')} - ${sql.lit(now)})`
      return {
        run_at: eb.case().when('run_at', '=', 0).then(0).else(moved('run_at')).end(),
        // A dead job that was queued again after the clock was set right is first due before its recorded creation.
        first_due_at: eb
          .case()
          .when('first_due_at', '>', eb.ref('created_at'))
          .then(moved('first_due_at'))
          .else(sql<number>`${sql.lit(now)}`)
          .end(),
        created_at: now,
      }
    })
    .where('state', '=', 'waiting')
    .where('created_at', '>', after)
    .executeTakeFirst()
  return Number(corrected.numUpdatedRows)
}

const RETENTION_MS = 90 * DAY

/**
 * Deletes jobs that are done or ended and whose last attempt was more than 90 days ago; dead jobs stay.
 * @returns the number of jobs
 */
export function deleteOldJobs({ db, clock }: Services, stopping: () => boolean): Promise<number> {
  const before = clock.now() - RETENTION_MS
  return deleteInBatches((limit) => {
    const oldJobs = db.write
      .selectFrom('jobs')
      .select('job_id')
      .where('state', 'in', ['done', 'ended'])
      // This follows from the next condition, since a job is done after it was due, and lets the query use an index.
      .where('run_at', '<', before)
      .where('done_at', '<', before)
      .limit(limit)
    return db.write.deleteFrom('jobs').where('job_id', 'in', oldJobs).executeTakeFirstOrThrow()
  }, stopping)
}

/**
 * Ends a dead job, so that it is neither run nor listed among the dead jobs again.
 * @returns false if there is no such dead job
 */
export async function endJob(db: Kysely<Tables>, jobId: string): Promise<boolean> {
  const ended = await db
    .updateTable('jobs')
    .set({ state: 'ended' })
    .where('job_id', '=', jobId)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}
