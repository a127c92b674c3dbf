import { beforeEach, expect, it, vi } from 'vitest'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { currentRequest, runWithinRequest } from '../current-request.ts'
import { type Database, openDatabase } from '../database/open.ts'
import type { FailureScope } from './circuit-breakers.ts'
import { enqueue, listDeadJobs, requeueDeadJob } from './enqueue-requeue-and-cancel-jobs.ts'
import { type JobHandlers, JobRunner } from './job-runner.ts'

const silent = { warn() {}, error() {} }

/** Checked by the compiler only: the marked lines must not compile. */
export const refused = (db: Database, others: Omit<JobHandlers, 'refund'>): JobHandlers => {
  // @ts-expect-error the payload of another kind
  void enqueue(db.write, { kind: 'receipt', once: 'x', payload: { uuid: 'x' }, runAt: 0 })
  // @ts-expect-error no such kind
  void enqueue(db.write, { kind: 'telegram', once: 'x', payload: {}, runAt: 0 })
  // @ts-expect-error a kind without a handler
  return others
}

describeOnBothEngines('Jobs', (open) => {
  let db: Database
  let now: number
  let dead: string[]
  const clock = { now: () => now }
  const runner = (
    handlers: Partial<JobHandlers>,
    more: { db?: Database; attempts?: number; yieldAfterJob?: () => Promise<void> } = {},
  ) => new JobRunner({ db, clock, handlers, log: silent, onDead: (job) => dead.push(job.once), ...more })
  const add = (once: string, runAt = now, kind: 'receipt' | 'refund' = 'receipt') =>
    enqueue(db.write, { kind, once, payload: { orderId: once }, runAt })
  const unfinished = () => db.read.selectFrom('jobs').select(['state', 'run_at']).where('state', '!=', 'done').execute()

  beforeEach(async () => {
    db = await open()
    now = 1_000_000
    dead = []
  })

  it('are enqueued once, and not at all if their transaction fails', async () => {
    expect(await add('welcome')).toBe(true)
    expect(await add('welcome')).toBe(false)
    expect(await add('welcome', now, 'refund')).toBe(true)
    const failing = db.transaction(async (tx) => {
      await enqueue(tx, { kind: 'receipt', once: 'never', payload: { orderId: '' }, runAt: now })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const done: string[] = []
    const mail = runner({ receipt: async (job) => void done.push(`${job.once} ${JSON.stringify(job.payload)}`) })
    expect(await mail.runDue()).toBe(1)
    expect(await mail.runDue()).toBe(0)
    expect(done).toEqual(['welcome {"orderId":"welcome"}'])
    expect(await add('welcome')).toBe(false)
    expect(await unfinished()).toEqual([{ state: 'waiting', run_at: now }])
  })

  it('run under the id of the request that wrote them, whatever wakes their runner', async () => {
    const ids: (string | undefined)[] = []
    const mail = runner({ receipt: async () => void ids.push(currentRequest()?.id) })
    await runWithinRequest({ id: 'a-request', address: '' }, () => add('of a request', now - 1))
    await add('of none')
    await runWithinRequest({ id: 'another-request', address: '' }, () => mail.runDue())
    expect(ids).toEqual(['a-request', undefined])
  })

  it('run in the order in which they are due, not earlier, and may enqueue more', async () => {
    await add('later', now + 10)
    await add('second', now - 1)
    await add('first', now - 2)
    const done: string[] = []
    const mail = runner({
      receipt: async (job) => {
        done.push(job.once)
        if (job.once === 'second')
          return (tx) =>
            enqueue(tx, { kind: 'receipt', once: 'more', payload: { orderId: '' }, runAt: now }).then(() => {})
      },
    })
    expect(await mail.runDue()).toBe(3)
    expect(done).toEqual(['first', 'second', 'more'])
    now += 10
    expect(await mail.runDue()).toBe(1)
  })

  it('that are urgent run before all other due jobs, in the order of their due times', async () => {
    const done: string[] = []
    const record = async ({ once }: { once: string }) => void done.push(once)
    const late: number[] = []
    const yieldAfterJob = async (lateMs: number) => void late.push(lateMs)
    const mail = new JobRunner({
      db,
      clock,
      log: silent,
      onDead: () => {},
      yieldAfterJob,
      handlers: { receipt: record, reset_code: record },
    })
    const day = 86_400_000
    now += 5 * day
    for (const hours of [71, 1]) await add(`receipt of ${hours} hours ago`, now - hours * 3_600_000)
    for (const resetId of ['first', 'second'])
      await enqueue(db.write, { kind: 'reset_code', once: resetId, payload: { resetId }, runAt: now++ })
    expect(await mail.runDue()).toBe(4)
    expect(done).toEqual(['first', 'second', 'receipt of 71 hours ago', 'receipt of 1 hours ago'])
    expect(late.slice(0, 2)).toEqual([2, 1])
  })

  it('that are urgent block no others, even with a clock ahead or after a failed attempt', async () => {
    const done: string[] = []
    let fails = true
    const mail = runner({
      receipt: async ({ once }) => void done.push(once),
      async reset_code({ once }) {
        if (fails) throw new Error('421 try again later')
        done.push(once)
      },
    })
    const code = (resetId: string, runAt: number) =>
      enqueue(db.write, { kind: 'reset_code', once: resetId, payload: { resetId }, runAt })
    await code('of a clock ahead', now + 86_400_000)
    await code('failed', now)
    await add('receipt')
    expect(await mail.runDue()).toBe(2)
    fails = false
    await add('older receipt', now + 1)
    now += 60_000
    expect(await mail.runDue()).toBe(2)
    expect(done).toEqual(['receipt', 'older receipt', 'failed'])
  })

  it('that were stored without a priority run after urgent jobs, by their due time', async () => {
    const done: string[] = []
    const record = async ({ once }: { once: string }) => void done.push(once)
    now += 5 * 86_400_000
    await add('receipt', now - 2)
    await enqueue(db.write, { kind: 'reset_code', once: 'code', payload: { resetId: '' }, runAt: now })
    // A row without a priority gets 0, even of an urgent kind; it precedes the receipt because it was due earlier.
    const before = { payload: '{}', state: 'waiting', attempts: 0, created_at: now, first_due_at: now } as const
    const run_at = now - 4 * 86_400_000
    await db.write
      .insertInto('jobs')
      .values({ ...before, job_id: 'x', kind: 'unlock', once: 'unlock of the release before', run_at })
      .execute()
    await runner({ receipt: record, reset_code: record, unlock: record }).runDue()
    expect(done).toEqual(['code', 'unlock of the release before', 'receipt'])
  })

  it('are shared by two runners so that each is done by one', async () => {
    await db.transaction(async (tx) => {
      for (let n = 0; n < 60; n++)
        await enqueue(tx, { kind: 'autopay_on', once: `${n}`, payload: { orderId: '' }, runAt: now })
    })
    const other = await openDatabase(placeOf(db))
    const runs: Record<string, number> = {}
    const autopay_on: JobHandlers['autopay_on'] = async (job) => {
      runs[job.once] = (runs[job.once] ?? 0) + 1
      return async (tx) => {
        await tx
          .insertInto('settings')
          .values({ name: `done-${job.once}`, value: '', updated_at: now })
          .execute()
      }
    }
    const both = await Promise.all([runner({ autopay_on }).runDue(), runner({ autopay_on }, { db: other }).runDue()])
    expect(both[0] + both[1]).toBe(60)
    expect(Object.values(runs)).toEqual(Array.from({ length: 60 }, () => 1))
    expect(await db.read.selectFrom('settings').select('name').execute()).toHaveLength(60)
    await other.close()
  })

  it('end without their effect, and leave a paused channel paused, where there is nothing to send', async () => {
    const channel = { name: 'mail', kinds: ['receipt', 'refund'] as const, failureOf: () => 'channel' as const }
    const sent: string[] = []
    const mail = new JobRunner({
      db,
      clock,
      log: silent,
      onDead: (job) => dead.push(job.once),
      channels: [channel],
      handlers: {
        async receipt(job) {
          if (job.once === 'down') throw new Error('no server')
          return 'Not sent: no recipient'
        },
        refund: async (job) => void sent.push(job.once),
      },
    })
    await add('down')
    await mail.runDue()
    now += 60_000
    await add('nobody', now - 2)
    await add('paid', now - 1, 'refund')
    await mail.runDue()
    const loadJob = (once: string) =>
      db.read
        .selectFrom('jobs')
        .select(['state', 'last_error', 'done_at'])
        .where('once', '=', once)
        .executeTakeFirstOrThrow()
    expect(await loadJob('nobody')).toEqual({ state: 'ended', last_error: 'Not sent: no recipient', done_at: now })
    expect([sent, await loadJob('paid')]).toMatchObject([[], { state: 'waiting' }])
    // The job that had nothing to send was no test of the channel, so the next one is tried at once.
    await mail.runDue()
    expect([sent, await loadJob('paid')]).toMatchObject([['paid'], { state: 'done' }])
    expect(dead).toEqual([])
  })

  it('are done where nothing is left to send after an attempt whose runner died', async () => {
    await add('receipt sent before the crash')
    await db.write
      .updateTable('jobs')
      .set((e) => ({ state: 'running', claimed_until: now, attempts: e('attempts', '+', 1) }))
      .execute()
    await runner({ receipt: async () => 'Not sent: no recipient' }).runDue()
    expect(await unfinished()).toEqual([])
  })

  it('are done where nothing is left to send after an attempt that failed once its mail had left', async () => {
    await add('notice')
    let left = 0
    const receipt = async () => {
      if (left > 0) return 'Not sent: no longer true'
      left += 1
      throw new Error('the connection broke after the mail')
    }
    await runner({ receipt }).runDue()
    now += 60_000
    await runner({ receipt }).runDue()
    const job = await db.read.selectFrom('jobs').select('state').where('once', '=', 'notice').executeTakeFirstOrThrow()
    expect([left, job.state]).toEqual([1, 'done'])
  })

  it('are recovered when their runner dies, and have their effect once', async () => {
    await add('slow')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
    const effect = (by: string) => async (tx: Parameters<typeof enqueue>[0]) => {
      await tx
        .insertInto('settings')
        .values({ name: `effect by ${by}`, value: '', updated_at: now })
        .execute()
    }
    const first = runner({
      receipt: async () => {
        begun()
        await held
        return effect('first')
      },
    }).runDue()
    await hasBegun
    const second = runner({ receipt: async () => effect('second') })
    expect(await second.runDue()).toBe(0)
    now += 60_001
    expect(await second.runDue()).toBe(1)
    release()
    await first
    expect(await db.read.selectFrom('settings').select('name').execute()).toEqual([{ name: 'effect by second' }])
    const job = await db.read.selectFrom('jobs').select(['state', 'attempts']).executeTakeFirstOrThrow()
    expect(job).toEqual({ state: 'done', attempts: 2 })
  })

  it('keep their claim for minutes while they run, as with a slow mail server, but not forever', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await add('long')
      let second = 0
      let release = () => {}
      const held = new Promise<void>((done) => {
        release = done
      })
      const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
      const other = runner({ receipt: async () => void second++ })
      const first = runner({
        receipt: async () => {
          begun()
          await held
        },
      }).runDue()
      await hasBegun
      const claimedUntil = async () =>
        (await db.write.selectFrom('jobs').select('claimed_until').executeTakeFirstOrThrow()).claimed_until
      const past = async (ms: number) => {
        now += ms
        vi.advanceTimersByTime(ms)
        await vi.waitFor(async () => expect(await claimedUntil()).toBe(now + 60_000), 20_000)
      }
      for (let minutes = 0; minutes < 10; minutes += 0.5) {
        await past(30_000)
        await other.runDue()
      }
      expect(second).toBe(0)
      // The claim of a handler that never ends is not renewed for ever, and then another runner gets the job.
      for (let minutes = 0; minutes < 10; minutes += 1) {
        now += 60_000
        vi.advanceTimersByTime(60_000)
      }
      await vi.waitFor(async () => {
        now += 60_001
        await other.runDue()
        expect(second).toBe(1)
      }, 20_000)
      release()
      await first
      expect(await unfinished()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it('wait longer after each failure, and become visibly dead', async () => {
    await add('poison')
    let runs = 0
    const failing = runner(
      {
        receipt: async () => {
          runs++
          throw new Error('550 no such mailbox')
        },
      },
      { attempts: 4 },
    )
    const waits: number[] = []
    for (let n = 0; n < 3; n++) {
      expect(await failing.runDue()).toBe(1)
      const { run_at } = await db.read.selectFrom('jobs').select('run_at').executeTakeFirstOrThrow()
      waits.push(run_at - now)
      now = run_at - 1
      expect(await failing.runDue()).toBe(0)
      now = run_at
    }
    expect(waits).toEqual([30_000, 60_000, 120_000])
    expect(dead).toEqual([])
    await failing.runDue()
    expect(runs).toBe(4)
    expect(dead).toEqual(['poison'])
    now += 1_000_000
    expect(await failing.runDue()).toBe(0)
    const [deadJob] = await listDeadJobs(db)
    expect(deadJob).toMatchObject({ once: 'poison', attempts: 4, last_error: 'Error: 550 no such mailbox' })

    expect(await requeueDeadJob(db.write, deadJob?.job_id ?? '', now)).toBe(true)
    expect(await requeueDeadJob(db.write, deadJob?.job_id ?? '', now)).toBe(false)
    const delivered: string[] = []
    await runner({ receipt: async (job) => void delivered.push(job.once) }).runDue()
    expect(delivered).toEqual(['poison'])
  })

  it('become dead if they end their runner each time', async () => {
    await add('deadly')
    for (let n = 0; n < 3; n++) {
      await db.write
        .updateTable('jobs')
        .set((e) => ({ state: 'running', claimed_until: now + 1, attempts: e('attempts', '+', 1) }))
        .execute()
      now += 2
      if (n < 2) expect(await runner({ unlock: async () => {} }).runDue()).toBe(0)
    }
    let runs = 0
    expect(await runner({ receipt: async () => void runs++ }, { attempts: 3 }).runDue()).toBe(0)
    expect(runs).toBe(0)
    expect(dead).toEqual(['deadly'])
  })

  it('of a killed process are recovered at once by a process that is the only server', async () => {
    await add('left behind')
    await db.write
      .updateTable('jobs')
      .set((e) => ({ state: 'running', claimed_until: now + 60_000, attempts: e('attempts', '+', 1) }))
      .execute()
    const delivered: string[] = []
    const next = runner({ receipt: async (job) => void delivered.push(job.once) })
    await next.runDue()
    expect(delivered).toEqual([])
    await next.takeOver()
    await next.runDue()
    expect(delivered).toEqual(['left behind'])
  })

  it('yield to other work after each job', async () => {
    await add('a', now - 2)
    await add('b', now - 1)
    const done: string[] = []
    const mail = runner(
      { receipt: async (job) => void done.push(job.once) },
      { yieldAfterJob: async () => void done.push('way') },
    )
    expect(await mail.runDue()).toBe(2)
    expect(done).toEqual(['a', 'way', 'b', 'way'])
  })

  it('run beside a slow one, as many at a time as there are lanes', async () => {
    const held: Record<string, PromiseWithResolvers<void>> = {}
    const working = runner({
      receipt: ({ once }) => {
        held[once] = Promise.withResolvers()
        return held[once].promise
      },
    })
    await add('slow')
    working.start()
    await vi.waitFor(() => expect(Object.keys(held)).toEqual(['slow']))
    // The other lanes found no job and ended.
    for (const burst of ['a', 'b', 'c']) {
      for (const number of [1, 2, 3]) await add(`${burst}${number}`)
      working.wake()
      const all = [`${burst}1`, `${burst}2`, `${burst}3`]
      await vi.waitFor(() => expect(all.every((once) => held[once])).toBe(true))
      for (const once of all) held[once]?.resolve()
      await vi.waitFor(async () => expect(await unfinished()).toHaveLength(1))
    }
    held.slow?.resolve()
    await working.drain()
    expect(await unfinished()).toEqual([])
  })

  it('of a killed process and of a paused mail server run even if the queue is never empty', async () => {
    const done: string[] = []
    await add('left behind', now - 1)
    await db.write
      .updateTable('jobs')
      .set((e) => ({ state: 'running', claimed_until: now + 5000, attempts: e('attempts', '+', 1) }))
      .execute()
    const working = new JobRunner({
      db,
      clock,
      log: silent,
      onDead: () => {},
      channels: [{ name: 'mail', kinds: ['receipt'], failureOf: () => 'job' }],
      handlers: {
        receipt: async ({ once }) => void done.push(once),
        async refund({ once }) {
          now += 1000
          if (once === '3')
            await db.write
              .insertInto('circuits')
              .values({ channel: 'mail', opened_at: now, probe_at: now, why: 'another process has found it down' })
              .execute()
          const paused = await db.read.selectFrom('circuits').select('channel').execute()
          // Adds a job after each, so that the queue never becomes empty while the mail server is paused.
          if (Number(once) < 500 && (Number(once) < 3 || paused.length > 0))
            await add(`${Number(once) + 1}`, now, 'refund')
          done.push(once)
        },
      },
    })
    await add('0', now, 'refund')
    working.start()
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), 20_000)
    await working.drain()
    expect(done).toContain('left behind')
    expect(done).not.toContain('500')
    expect(await db.read.selectFrom('circuits').select('channel').execute()).toEqual([])
  })

  it('that fail by themselves, or at one address, do not pause a channel that another process has found working', async () => {
    let reach: FailureScope = 'address'
    const mail = new JobRunner({
      db,
      clock,
      log: silent,
      onDead: () => {},
      channels: [{ name: 'mail', kinds: ['receipt'], failureOf: () => reach }],
      handlers: {
        async receipt() {
          throw new Error('refused')
        },
      },
    })
    const paused = async () => (await db.read.selectFrom('circuits').select('channel').execute()).length
    for (const number of [1, 2, 3, 4, 5]) {
      expect(await paused()).toBe(0)
      await add(`address ${number}`)
      await mail.runDue()
    }
    expect(await paused()).toBe(1)
    // Another process has sent a mail, which ends the pause. The failed jobs are deleted to leave only new ones.
    for (const table of ['circuits', 'jobs'] as const) await db.write.deleteFrom(table).execute()
    for (const next of ['job', 'never', 'address'] as const) {
      reach = next
      await add(next)
      expect([await mail.runDue(), await paused()]).toEqual([1, 0])
    }
  })

  it('run even if one lane fails while another works', async () => {
    await add('slow', now - 2)
    await add('quick', now - 1)
    const slow = Promise.withResolvers<void>()
    const failed: string[] = []
    const messages: string[] = []
    const mail = new JobRunner({
      db,
      clock,
      onDead: () => {},
      handlers: { receipt: ({ once }) => (once === 'slow' ? slow.promise : Promise.resolve()) },
      async yieldAfterJob() {
        failed.push('lane')
        throw new Error('The database is gone')
      },
      log: { warn: (_, message) => void messages.push(message ?? ''), error() {} },
    })
    mail.start()
    // An unhandled rejection fails the test run, as it crashes a server.
    await vi.waitFor(() => expect(failed).toHaveLength(1))
    await new Promise((turn) => setImmediate(turn))
    slow.resolve()
    await vi.waitFor(() => expect(messages).toEqual(['The job table could not be read']))
    await mail.drain()
    expect(await unfinished()).toEqual([])
  })

  it('run as they arrive while the runner is started, and finish before it stops', async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
    const done: string[] = []
    const working = runner({
      receipt: async (job) => {
        begun()
        await mayFinish
        done.push(job.once)
      },
    })
    working.start()
    await add('live')
    working.wake()
    await hasBegun
    let drained = false
    const draining = working.drain().then(() => {
      drained = true
    })
    await db.ping()
    expect(drained).toBe(false)
    finish()
    await draining
    expect(done).toEqual(['live'])
    await add('too late')
    working.wake()
    expect(await working.runDue()).toBe(0)
    expect(await unfinished()).toMatchObject([{ state: 'waiting' }])
  })
})
