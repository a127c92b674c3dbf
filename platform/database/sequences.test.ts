import { beforeAll, expect, it } from 'vitest'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { bumpContentVersion, loadContentVersion } from './content-version.ts'
import { type Database, openDatabase } from './open.ts'
import { advanceSequence, nextNumber } from './sequences.ts'

describeOnBothEngines('Counters and the content version', (open) => {
  let db: Database
  let other: Database
  beforeAll(async () => {
    db = await open()
    other = await openDatabase(placeOf(db))
    return () => other.close()
  })

  it('gives each of 100 concurrent callers its own number, without gaps', async () => {
    const calls = Array.from({ length: 100 }, (_, n) =>
      (n % 2 ? db : other).transaction((tx) => nextNumber(tx, 'L001', 'lease', 10_000)),
    )
    const numbers = (await Promise.all(calls)).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => 10_000 + n))
    expect(await db.transaction((tx) => nextNumber(tx, 'L002', 'lease'))).toBe(1)
    expect(await db.transaction((tx) => nextNumber(tx, 'L001', 'tenant'))).toBe(1)
  })

  it('does not use up the number of a transaction that failed', async () => {
    const failing = db.transaction(async (tx) => {
      await nextNumber(tx, 'L003', 'lease')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.transaction((tx) => nextNumber(tx, 'L003', 'lease'))).toBe(1)
  })

  it('continues after imported numbers', async () => {
    await db.transaction((tx) => advanceSequence(tx, 'L004', 'lease', 500))
    await db.transaction((tx) => advanceSequence(tx, 'L004', 'lease', 300))
    expect(await db.transaction((tx) => nextNumber(tx, 'L004', 'lease'))).toBe(501)
  })

  it('counts the versions of public content', async () => {
    const before = await loadContentVersion(db)
    await db.transaction((tx) => bumpContentVersion(tx))
    expect(await loadContentVersion(other)).toBe(before + 1)
  })

  it('returns to each of many concurrent callers a version at least as new as its call', async () => {
    for (let round = 0; round < 5; round++) {
      const early = Array.from({ length: 8 }, () => loadContentVersion(db))
      const bumped = await other.transaction(async (tx) => {
        await bumpContentVersion(tx)
        return (await tx.selectFrom('content_version').select('version').executeTakeFirstOrThrow()).version
      })
      const late = Array.from({ length: 8 }, () => loadContentVersion(db))
      expect(Math.max(...(await Promise.all(early)))).toBeLessThanOrEqual(bumped)
      expect(new Set(await Promise.all(late))).toEqual(new Set([bumped]))
    }
  })
})
