/** Tests the marks by which a restored database is detected: it lacks the mark in the file store. */
import { beforeEach, expect, it } from 'vitest'
import { fixedClock, seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { copyAll } from '../database/copy-all-rows.ts'
import type { Database } from '../database/open.ts'
import { RestoreGuard } from './detect-restored-database.ts'

describeOnBothEngines('A mark', (open) => {
  const clock = fixedClock(1_800_000_000_000)
  const random = seededRandom(7)
  let db: Database
  let files: ReturnType<typeof memoryFiles>
  beforeEach(async () => {
    db = await open()
    files = memoryFiles()
  })
  /** Creates the guard of a new process. */
  const guardOf = (database: Database, store = files) =>
    new RestoreGuard({ db: database, files: store, clock, random, monotonic: () => clock.now() })
  const check = (database: Database, store = files) => guardOf(database, store).checkState()
  /** Saves the current database, to restore it later. */
  async function saveCopy(): Promise<Database> {
    const copy = await open()
    await copyAll(db, copy)
    return copy
  }

  it('is missing from a restored database, and present after a restart, at a second server and after a failover', async () => {
    const first = guardOf(db)
    const second = guardOf(db)
    expect([first.state, await first.mustWait()]).toEqual(['unknown', true])
    expect(await Promise.all([first.checkState(), second.checkState()])).toEqual(['open', 'open'])
    await Promise.all([first.leaveMark(), second.leaveMark()])
    const back = await saveCopy()
    expect(await check(back)).toBe('open')
    clock.advance(10_000)
    await first.leaveMark()
    expect([await second.checkState(), await second.mustWait(), await check(db)]).toEqual(['open', false, 'open'])
    const restored = guardOf(back)
    expect([await restored.checkState(), await restored.mustWait()]).toEqual(['restored', true])
    await restored.leaveMark()
    expect([restored.state, await first.checkState(), await restored.loadLastMark()]).toEqual([
      'restored',
      'open',
      clock.now() - 10_000,
    ])

    await restored.resume()
    expect([await restored.mustWait(), await check(back)]).toEqual([false, 'open'])
    // The old server still runs: only one of two copies continues.
    await first.leaveMark()
    expect([first.state, await first.mustWait(), await check(back)]).toEqual(['restored', true, 'open'])
  })

  it('lets one of two copies of the same instant continue', async () => {
    await guardOf(db).leaveMark()
    const twin = await saveCopy()
    const first = guardOf(db)
    const other = guardOf(twin)
    await first.leaveMark()
    await other.leaveMark()
    expect([first.state, other.state]).toEqual(['open', 'restored'])
  })

  it('missing in the file store pauses a used database, but not a new one or a process that saw the mark', async () => {
    expect(await check(db)).toBe('open')
    const running = guardOf(db)
    await running.leaveMark()
    const bucket = memoryFiles()
    expect(await check(db, bucket)).toBe('restored')
    files.kept.clear()
    expect([await running.checkState(), await check(db)]).toEqual(['open', 'restored'])
    await running.leaveMark()
    expect([await check(db), await check(await open())]).toEqual(['open', 'restored'])
  })

  it('is unknown while the file store does not respond, and a process that knows its state continues', async () => {
    const running = guardOf(db)
    await running.leaveMark()
    const silent = { ...files, get: () => Promise.reject(new Error('no answer')) }
    const started = new RestoreGuard({ db, files: silent, clock, random })
    await expect(started.checkState()).rejects.toThrow('no answer')
    expect([started.state, await started.mustWait()]).toEqual(['unknown', true])
    const put = files.put
    files.put = () => Promise.reject(new Error('no answer'))
    await expect(running.leaveMark()).rejects.toThrow('no answer')
    expect(await running.mustWait()).toBe(false)
    files.put = put
    expect([await running.checkState(), await check(db)]).toEqual(['open', 'open'])
    // Simulates a process that is killed after it wrote its first mark to the database and before the file store.
    const fresh = await open()
    const first = new RestoreGuard({ db: fresh, files: { ...memoryFiles(), put: silent.get }, clock, random })
    await expect(first.leaveMark()).rejects.toThrow('no answer')
    expect(await check(fresh, memoryFiles())).toBe('open')
  })

  it('is checked again by a running process whose database is restored meanwhile', async () => {
    const running = guardOf(db)
    await running.leaveMark()
    await db.write.deleteFrom('restore_marks').execute()
    expect(await running.mustWait()).toBe(false)
    clock.advance(5000)
    expect([await running.mustWait(), running.state]).toEqual([true, 'restored'])
  })

  it('that a wrong clock dated ahead is reported, and ignored', async () => {
    const guard = guardOf(db)
    await guard.leaveMark()
    const current = clock.now()
    clock.advance(60 * 86_400_000)
    const future = clock.now()
    await db.write.insertInto('restore_marks').values({ mark: 'ahead', made_at: future, kept_at: future }).execute()
    clock.advance(-60 * 86_400_000)
    expect([await guard.loadLastMark(), await guard.loadFutureMark()]).toEqual([current, future])
    await db.write.deleteFrom('restore_marks').where('made_at', '=', current).execute()
    expect([await guard.loadLastMark(), await guard.loadFutureMark()]).toEqual([null, future])
  })

  it('is kept for a day', async () => {
    const guard = guardOf(db)
    for (let hour = 0; hour < 30; hour += 1) {
      await guard.leaveMark()
      clock.advance(3_600_000)
    }
    const marks = await rowsOf(db, 'restore_marks', ['kept_at'])
    expect([marks.length, marks.some(({ kept_at }) => kept_at === null)]).toEqual([25, false])
  })
})
