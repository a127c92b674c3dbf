import { beforeAll, expect, it } from 'vitest'
import { numbering } from './counters.ts'
import { enqueuing } from './jobs.ts'
import type { Database } from './open.ts'
import { describeOnBothEngines } from './testing.ts'
import { together } from './together.ts'

describeOnBothEngines('Statements that run together', (open) => {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  const job = (once: string) => ({ kind: 'k', once, payload: { once }, runAt: 1 })
  const onces = async () =>
    (await db.read.selectFrom('jobs').select('once').orderBy('once').execute()).map((row) => row.once)

  it('answer what each returns, in their order, and nothing for those that return nothing or are left out', async () => {
    const answers = await db.transaction((tx) =>
      together(
        tx,
        numbering(tx, 'L001', 'lease', 10_000),
        null,
        enqueuing(tx, [job('a'), job('b')]).returning(['once', 'run_at']),
        enqueuing(tx, [job('c')]),
        tx.updateTable('jobs').set({ kind: 'other' }).where('once', '=', 'nobody').returning('once'),
      ),
    )
    expect(answers).toEqual([
      [{ number: 10_000 }],
      [],
      [
        { once: 'a', run_at: 1 },
        { once: 'b', run_at: 1 },
      ],
      [],
      [],
    ])
    expect(await onces()).toEqual(['a', 'b', 'c'])
  })

  it('do nothing when there is nothing to do, and one alone as itself', async () => {
    const alone = await db.transaction((tx) => together(tx, null, numbering(tx, 'L001', 'lease', 10_000)))
    expect(alone).toEqual([[], [{ number: 10_001 }]])
    expect(await db.transaction((tx) => together(tx, null))).toEqual([[]])
  })

  it('stand or fall together', async () => {
    const taken = { version: 1, id: 1 }
    const failing = db.transaction((tx) =>
      together(tx, enqueuing(tx, [job('lost')]), tx.insertInto('content_version').values(taken)),
    )
    await expect(failing).rejects.toThrow()
    expect(await onces()).toEqual(['a', 'b', 'c'])
  })
})
