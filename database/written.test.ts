import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from './open.ts'
import { describeOnBothEngines } from './testing.ts'
import { together } from './together.ts'
import { inserting, writtenOnce } from './written.ts'

describeOnBothEngines('Statements that are written once', (open) => {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  const limit = (key: string, points: number) => ({ key, points, expires_at: 1_800_000_000_000 })
  const atLeast = writtenOnce((on, of: { least: number; before: number }) =>
    on
      .selectFrom('limits')
      .select(['key', 'points'])
      .where('points', '>=', of.least)
      .where(sql<number>`expires_at - ${of.before}`, '<', of.before)
      .orderBy('key'),
  )
  const counted = writtenOnce((on, of: { key: string; more: number }) =>
    on
      .updateTable('limits')
      .set((eb) => ({ points: eb('points', '+', of.more) }))
      .where('key', '=', of.key)
      .returning('points'),
  )

  it('run with the values of each time, also where one stands in several places', async () => {
    for (const row of [limit('a', 1), limit('b', 2), limit('c', 3)]) await inserting(db.write, 'limits', row).execute()
    const far = 2_000_000_000_000
    expect(await atLeast(db.read, { least: 2, before: far }).execute()).toEqual([
      { key: 'b', points: 2 },
      { key: 'c', points: 3 },
    ])
    expect(await atLeast(db.read, { least: 3, before: far }).execute()).toEqual([{ key: 'c', points: 3 }])
    expect(await atLeast(db.read, { least: 1, before: 800_000_000_000 }).execute()).toEqual([])
  })

  it('insert the columns that are given, whichever they are, and null as null', async () => {
    const task = {
      job_id: '1',
      kind: 'k',
      once: '1',
      payload: '{}',
      state: 'waiting' as const,
      run_at: 1,
      created_at: 1,
    }
    await inserting(db.write, 'jobs', { ...task, attempts: 0 }).execute()
    const whole = {
      ...task,
      job_id: '2',
      once: '2',
      attempts: 4,
      claimed_until: 7,
      last_error: null,
      done_at: undefined,
    }
    await inserting(db.write, 'jobs', whole).execute()
    const rows = await db.read
      .selectFrom('jobs')
      .select(['attempts', 'claimed_until', 'done_at'])
      .orderBy('job_id')
      .execute()
    expect(rows).toEqual([
      { attempts: 0, claimed_until: null, done_at: null },
      { attempts: 4, claimed_until: 7, done_at: null },
    ])
  })

  it('run together with each other and with queries that are built, each with its own values', async () => {
    const answers = await db.transaction((tx) =>
      together(
        tx,
        counted(tx, { key: 'a', more: 10 }),
        inserting(tx, 'limits', limit('d', 4)),
        tx.updateTable('limits').set({ points: 20 }).where('key', '=', 'b').returning(['key', 'points']),
        counted(tx, { key: 'c', more: 30 }),
        counted(tx, { key: 'nobody', more: 1 }),
      ),
    )
    expect(answers).toEqual([[{ points: 11 }], [], [{ key: 'b', points: 20 }], [{ points: 33 }], []])
    const points = await db.read.selectFrom('limits').select('points').orderBy('key').execute()
    expect(points.map((row) => row.points)).toEqual([11, 20, 33, 4])
  })

  it('are refused on the outer connection inside a transaction, as any other', async () => {
    await expect(db.transaction(() => atLeast(db.read, { least: 1, before: 1 }).execute())).rejects.toThrow(
      'Inside a transaction',
    )
  })

  it('cannot be written by calculating with a value that is known only later', () => {
    const wrong = writtenOnce((on, of: { points: number }) =>
      on
        .selectFrom('limits')
        .selectAll()
        .where('points', '=', of.points + 1),
    )
    expect(() => wrong(db.read, { points: 1 })).toThrow('points is known only when')
  })
})
