/** A job whose attempt failed while the clock was far ahead does not wait until that time. */
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { enqueue } from './enqueue-requeue-and-cancel-jobs.ts'
import { JobRunner } from './job-runner.ts'

const DAY = 86_400_000

describeOnBothEngines('A warning about the clock', (open) => {
  it('that failed under a clock that was ahead is mailed once the clock is right', async () => {
    const db = await open()
    let now = 1_000 * DAY
    let reachable = false
    const sent: string[] = []
    const runner = () =>
      new JobRunner({
        db,
        clock: { now: () => now },
        handlers: {
          async clock_in_doubt({ once }) {
            if (!reachable) throw new Error('The mail server does not answer')
            sent.push(once)
          },
        },
        log: { warn() {}, error() {} },
        onDead: () => {},
      })
    const payload = { staffId: 'olive', doubt: 'known' } as const
    await enqueue(db.write, { kind: 'clock_in_doubt', once: 'today:olive', payload, runAt: 0, now: now + 60 * DAY })
    now += 60 * DAY
    expect(await runner().runDue()).toBe(1)
    now -= 60 * DAY
    reachable = true
    expect((await rowsOf(db, 'jobs', ['run_at']))[0]?.run_at).toBeGreaterThan(now + 59 * DAY)
    expect(await runner().runDue()).toBe(1)
    expect(sent).toEqual(['today:olive'])
  })
})
