import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { keysOf } from '../../domain/typed-keys.ts'
import { inSpan, markCurrentSpanFailed, outsideSpans } from '../../ports/tracing.ts'
import { runWithinRequest } from '../current-request.ts'
import { DatabaseUnavailable, skipLocked } from '../database/engine-differences.ts'
import type { Database } from '../database/open.ts'
import type { JobKind, JobKinds } from '../schema/job-kinds.ts'
import type { JobsTable, Tables } from '../schema/tables.ts'
import { type Channel, CircuitBreakers, PROBE_MS } from './circuit-breakers.ts'
import { ConcurrentWork } from './concurrent-work.ts'
import { CLAIM_MS, Claims } from './renew-and-recover-job-claims.ts'
import { MAX_AGE_MS, MAX_ATTEMPTS, retryWaitOf } from './retry-times.ts'

/** A claimed job. */
export interface Job<Kind extends JobKind = JobKind> {
  jobId: string
  kind: Kind
  once: string
  payload: JobKinds[Kind]
  /** Number of the attempt, from 1. */
  attempt: number
}

/**
 * Runs a job of a kind. A returned function runs in the transaction that marks the job done, so exactly once; effects
 * outside the database need an idempotency key. A returned text is the reason why the job ends without its effect. If
 * the handler throws, the job is retried.
 */
export type JobHandler<Kind extends JobKind> = (
  job: Job<Kind>,
) => Promise<undefined | string | ((tx: Transaction<Tables>) => Promise<void>)> | Promise<void>

/** Handlers of jobs, one for each kind of job; a missing one is a compile error. */
export type JobHandlers = { [Kind in JobKind]: JobHandler<Kind> }

export interface JobLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface JobRunnerParts {
  db: Database
  clock: { now(): Instant }
  /** Handlers by kind; only jobs of these kinds are claimed. */
  handlers: Partial<JobHandlers>
  log: JobLog
  onDone?: (job: { jobId: string; kind: string; attempts: number }, ms: number) => void
  /** Called once for a job that becomes dead. */
  onDead: (job: { jobId: string; kind: string; once: string; attempts: number }, error: string) => void
  /** Maximum attempts; by default `MAX_ATTEMPTS`. */
  attempts?: number
  /** Channels whose jobs become dead by age instead of attempts. */
  channels?: readonly Channel[]
  /** Maximum age of a job by kind, in milliseconds; older ones are dropped. */
  staleAfter?: Partial<Record<JobKind, number>>
  /** Maximum number of jobs that run at once, besides tests of paused channels; by default `LANES`. */
  lanes?: number
  /** Returns true while no job may run, because the database was restored from a backup. */
  isPaused?: () => Promise<boolean>
  /** Awaited after each job. `lateMs`: milliseconds from the time when the job was due until its end. */
  yieldAfterJob?: (lateMs: number) => Promise<void>
}

const POLL_MS = 1000
const LANES = 4

const claimedColumns = [
  'job_id',
  'kind',
  'once',
  'payload',
  'attempts',
  'run_at',
  'request_id',
  'created_at',
  'first_due_at',
  'last_error',
] as const
type ClaimedRow = Pick<JobsTable, (typeof claimedColumns)[number]>

/** Thrown when this runner no longer holds the job's claim; rolls back the transaction of the job's effect. */
class ClaimLost extends Error {}

/** Claims due jobs and runs their handlers. */
export class JobRunner {
  readonly #parts: Required<JobRunnerParts>
  readonly #kinds: JobKind[]
  readonly #circuits: CircuitBreakers
  readonly #claims: Claims
  #timer: ReturnType<typeof setTimeout> | undefined
  #state: 'new' | 'started' | 'draining' = 'new'
  #rounds: Promise<void> | undefined
  #openLane: (() => void) | undefined
  #pollAgain = false
  readonly #running = new Set<ClaimedRow>()
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(parts: JobRunnerParts) {
    this.#parts = {
      attempts: MAX_ATTEMPTS,
      // SQLite responds within the same tick, so requests would not get their turn.
      yieldAfterJob: () => yieldToOthers(),
      onDone: () => {},
      channels: [],
      staleAfter: {},
      lanes: LANES,
      isPaused: async () => false,
      ...parts,
    }
    this.#kinds = keysOf(parts.handlers)
    this.#circuits = new CircuitBreakers(this.#parts)
    this.#claims = new Claims(this.#parts)
  }

  /** Ends the claims of a killed process; only for the single server of a data directory. */
  async takeOver(): Promise<void> {
    await this.#parts.db.write
      .updateTable('jobs')
      .set({ claimed_until: this.#parts.clock.now() })
      .where('state', '=', 'running')
      .execute()
  }

  start(): void {
    if (this.#state !== 'new') return
    this.#state = 'started'
    this.#poll()
  }

  wake(): void {
    // The runner's work is no part of the request that wakes it.
    if (this.#state === 'started') outsideSpans(() => this.#poll())
  }

  /** Finishes running jobs; returns those that take longer than `maxMs` to the queue, for another runner. */
  async drain(maxMs = 10_000): Promise<void> {
    this.#state = 'draining'
    clearTimeout(this.#timer)
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), maxMs)
    })
    const ended = await Promise.race([Promise.resolve(this.#rounds), timeout])
    clearTimeout(timer)
    if (ended !== 'late') return
    for (const row of this.#running)
      await this.#claims
        .updateClaimed(this.#parts.db.write, row)
        .set({ state: 'waiting', claimed_until: null })
        .execute()
  }

  async runDue(): Promise<number> {
    await this.#checkClaimsAndChannels()
    return (await this.#probe()) + (await this.#runUntilNone())
  }

  #poll(): void {
    clearTimeout(this.#timer)
    // The timer also runs during a round, so that new jobs do not wait for a slow one.
    this.#timer = setTimeout(() => this.#poll(), POLL_MS)
    if (this.#rounds) {
      this.#pollAgain = true
      this.#openLane?.()
      return
    }
    this.#rounds = this.#round().finally(() => {
      this.#rounds = undefined
      clearTimeout(this.#timer)
      if (this.#state !== 'started') return
      const pollNow = this.#pollAgain
      this.#pollAgain = false
      this.#timer = setTimeout(() => this.#poll(), pollNow ? 0 : POLL_MS)
    })
  }

  async #round(): Promise<void> {
    try {
      if (this.#isCheckDue()) await this.#checkClaimsAndChannels()
      const lanes = new ConcurrentWork()
      const probes = () => Math.min(1, this.#circuits.open.length)
      lanes.begin(() => this.#probe(), probes())
      const between = async () => {
        if (!this.#isCheckDue()) return
        await this.#checkClaimsAndChannels()
        if (probes() > 0) lanes.begin(() => this.#probe(), this.#parts.lanes + 1)
      }
      // Each lane that finds a job opens the next: usually there is only one job.
      this.#openLane = () =>
        lanes.begin(() => this.#runUntilNone(this.#openLane, between), this.#parts.lanes + probes())
      this.#openLane()
      await lanes.waitUntilIdle()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'The job table could not be read')
    } finally {
      this.#openLane = undefined
    }
  }

  /** Tries one job of each paused channel, unless one was tried in the last minute. @returns the number of jobs */
  async #probe(): Promise<number> {
    let runs = 0
    for (const channel of this.#circuits.open) {
      if (this.#state === 'draining' || !(await this.#circuits.claimProbe(channel))) continue
      const row = await this.#claim(this.#kinds.filter((kind) => channel.kinds.includes(kind)))
      if (!row) await this.#circuits.releaseProbe(channel)
      else {
        await this.#run(row)
        runs += 1
        this.#pollAgain = true
      }
    }
    return runs
  }

  #unpausedKinds(): JobKind[] {
    const { open } = this.#circuits
    return open.length === 0
      ? this.#kinds
      : this.#kinds.filter((kind) => !open.some(({ kinds }) => kinds.includes(kind)))
  }

  /**
   * Runs jobs until none is due.
   * @param onClaim called when a job was claimed
   * @param between awaited after each job, since the queue may never be empty
   * @returns the number of jobs
   */
  async #runUntilNone(onClaim?: () => void, between?: () => Promise<void>): Promise<number> {
    let runs = 0
    while (this.#state !== 'draining') {
      const row = await this.#claim(this.#unpausedKinds())
      if (!row) break
      onClaim?.()
      await this.#run(row)
      runs++
      await this.#parts.yieldAfterJob(this.#parts.clock.now() - row.run_at)
      await between?.()
    }
    return runs
  }

  /** Returns whether abandoned jobs and paused channels must be checked; wake-ups for new jobs do not need it. */
  #isCheckDue(): boolean {
    const since = this.#parts.clock.now() - this.#checkedAt
    return since >= POLL_MS || since < 0
  }

  /** Recovers jobs whose runner died and reads which channels are paused. */
  async #checkClaimsAndChannels(): Promise<void> {
    // The time is set first, so that only one of several lanes does this.
    this.#checkedAt = this.#parts.clock.now()
    for (const { row, reason } of await this.#claims.recover()) this.#reportDead(row, reason)
    await this.#circuits.load()
  }

  /** Claims the next due job by one guarded update, so that only one of several runners gets it. */
  async #claim(kinds: readonly JobKind[]): Promise<ClaimedRow | undefined> {
    const { db, clock, isPaused } = this.#parts
    if (kinds.length === 0 || (await isPaused())) return undefined
    const now = clock.now()
    const due = (connection: Kysely<Tables>) =>
      connection
        .selectFrom('jobs')
        .select('job_id')
        .where('state', '=', sql.lit('waiting'))
        .where('kind', 'in', kinds.map(sql.lit))
        .where('run_at', '<=', now)
        .limit(1)
    // Usually nothing is due, and on SQLite a read does not need the writer.
    if (db.engine === 'sqlite' && !(await due(db.read).executeTakeFirst())) return undefined
    // Each priority has its own query: to sort by both, SQLite would read all due jobs.
    const oldest = (priority: 0 | 1) =>
      skipLocked(db.write, due(db.write).where('priority', '=', sql.lit(priority)).orderBy('run_at'))
    // The sub-query locks the job, which guards it; another condition would make PostgreSQL scan all waiting jobs.
    const first = (eb: ExpressionBuilder<Tables, 'jobs'>) => eb.fn.coalesce(oldest(1), oldest(0))
    // The claim is durable together with the job's creation: no mail is sent for a change that a power cut undoes.
    return db.write
      .updateTable('jobs')
      .set((e) => ({ state: 'running', claimed_until: now + CLAIM_MS, attempts: e('attempts', '+', 1) }))
      .where('job_id', '=', first)
      .returning(claimedColumns)
      .executeTakeFirst()
  }

  /** Runs a job as part of the request that created it. */
  #run(row: ClaimedRow): Promise<void> {
    const origin = row.request_id === null ? undefined : { id: row.request_id, address: '' }
    const attributes = {
      'latchkey.job': row.job_id,
      'latchkey.attempt': row.attempts,
      ...(row.request_id && { 'latchkey.request_id': row.request_id }),
    }
    return runWithinRequest(origin, () =>
      inSpan(`job ${row.kind}`, { kind: 'consumer', root: true, attributes }, () => this.#try(row)),
    )
  }

  async #try(row: ClaimedRow): Promise<void> {
    const { db, clock, handlers, log, onDone } = this.#parts
    const started = performance.now()
    const stopRenewing = this.#claims.keepRenewing(row)
    this.#running.add(row)
    try {
      const kind = row.kind as JobKind
      if (clock.now() - row.created_at > (this.#parts.staleAfter[kind] ?? Number.POSITIVE_INFINITY))
        return await this.#dropStale(row)
      // An earlier attempt may have had its effect, so a job that now has nothing to do counts as done.
      const isUnclear = row.attempts > 1 || row.last_error !== null
      const handler = handlers[kind] as JobHandler<typeof kind>
      const result = await handler({
        jobId: row.job_id,
        kind,
        once: row.once,
        payload: JSON.parse(row.payload),
        attempt: row.attempts,
      })
      if (typeof result === 'string' && !isUnclear) return await this.#end(row, result)
      const finish = async (tx: Kysely<Tables>) => {
        const done = await this.#claims
          .updateClaimed(tx, row)
          .set({ state: 'done', done_at: clock.now(), claimed_until: null, last_error: null })
          .executeTakeFirst()
        if (done.numUpdatedRows === 0n) throw new ClaimLost()
      }
      if (typeof result === 'function') {
        await db.transaction(async (tx) => {
          await finish(tx)
          await result(tx)
        })
      } else await finish(db.write)
      onDone({ jobId: row.job_id, kind: row.kind, attempts: row.attempts }, Math.round(performance.now() - started))
      const channel = this.#circuits.channelOf(kind)
      if (channel && typeof result === 'string') await this.#releaseProbe(channel)
      else if (channel) await this.#circuits.recordSuccess(channel)
    } catch (error) {
      if (error instanceof ClaimLost) {
        log.warn(
          { job: row.job_id, kind: row.kind, once: row.once },
          'A job took longer than its claim; another runner has it',
        )
      } else {
        await this.#recordFailure(row, error)
      }
    } finally {
      this.#running.delete(row)
      stopRenewing()
    }
  }

  async #recordFailure(row: ClaimedRow, error: unknown): Promise<void> {
    markCurrentSpanFailed(error)
    const { db, clock, attempts, log } = this.#parts
    const reason = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1000)
    const channel = this.#circuits.channelOf(row.kind)
    const failure = channel?.failureOf(error)
    const age = clock.now() - (row.first_due_at ?? row.created_at)
    const isLast = channel ? failure === 'never' || age >= MAX_AGE_MS : row.attempts >= attempts
    try {
      if (channel && failure) await this.#circuits.recordFailure(channel, failure, reason)
      // The wait and priority 0 move the job behind the others, so that each test of a paused channel uses another job.
      const wait = channel && this.#circuits.open.includes(channel) ? PROBE_MS : retryWaitOf(row.attempts)
      const updated = await this.#claims
        .updateClaimed(db.write, row)
        .set(
          isLast
            ? { state: 'dead', claimed_until: null, last_error: reason, done_at: clock.now() }
            : { state: 'waiting', claimed_until: null, last_error: reason, run_at: clock.now() + wait, priority: 0 },
        )
        .executeTakeFirst()
      if (updated.numUpdatedRows === 0n) return
      if (isLast) this.#reportDead(row, reason)
      else
        log.warn(
          { job: row.job_id, kind: row.kind, once: row.once, attempt: row.attempts, waitMs: wait, reason },
          'A job failed and will be tried again',
        )
    } catch (unavailable) {
      if (!(unavailable instanceof DatabaseUnavailable)) throw unavailable
      // The claim expires and the job runs again.
      log.warn({ job: row.job_id, err: unavailable }, 'A failed job could not be noted')
    }
  }

  /** Ends a job without running it because it is too old, such as the mail of an expired code. */
  async #dropStale(row: ClaimedRow): Promise<void> {
    await this.#end(row, 'Not sent: too late to be of use')
    this.#parts.log.warn({ job: row.job_id, kind: row.kind, once: row.once }, 'A job was dropped: it came too late')
  }

  /** Ends a job that has no effect any more. It has not tested its channel, so a paused one tries the next job at once. */
  async #end(row: ClaimedRow, last_error: string): Promise<void> {
    const { db, clock } = this.#parts
    await this.#claims
      .updateClaimed(db.write, row)
      .set({ state: 'ended', claimed_until: null, done_at: clock.now(), last_error })
      .execute()
    const channel = this.#circuits.channelOf(row.kind)
    if (channel) await this.#releaseProbe(channel)
  }

  async #releaseProbe(channel: Channel): Promise<void> {
    if (this.#circuits.open.includes(channel)) await this.#circuits.releaseProbe(channel)
  }

  #reportDead(row: Pick<ClaimedRow, 'job_id' | 'kind' | 'once' | 'attempts'>, reason: string): void {
    const job = { jobId: row.job_id, kind: row.kind, once: row.once, attempts: row.attempts }
    this.#parts.log.error({ ...job, reason }, 'A job is dead')
    this.#parts.onDead(job, reason)
  }
}
