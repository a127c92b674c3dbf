/** A restored database lacks the last mark in the file store; a database in use always has it. */
import { beforeEach, expect, it } from 'vitest'
import { fixedClock, seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { copyAll } from '../database/copy-database.ts'
import type { Database } from '../database/open.ts'
import { RestoreGuard } from './restore-guard.ts'

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
  const guardOf = (of: Database, store = files) =>
    new RestoreGuard({ db: of, files: store, clock, random, monotonic: () => clock.now() })
  const lookAt = (of: Database, store = files) => guardOf(of, store).look()
  /** Saves the current database, to restore it later. */
  async function keptCopy(): Promise<Database> {
    const copy = await open()
    await copyAll(db, copy)
    return copy
  }

  it('is missing from a restored database, and present after a restart, at a second server and after a failover', async () => {
    const [one, two] = [guardOf(db), guardOf(db)]
    expect([one.state, await one.mustWait()]).toEqual(['unknown', true])
    expect(await Promise.all([one.look(), two.look()])).toEqual(['open', 'open'])
    await Promise.all([one.leaveMark(), two.leaveMark()])
    const back = await keptCopy()
    expect(await lookAt(back)).toBe('open')
    clock.advance(10_000)
    await one.leaveMark()
    expect([await two.look(), await two.mustWait(), await lookAt(db)]).toEqual(['open', false, 'open'])
    const restored = guardOf(back)
    expect([await restored.look(), await restored.mustWait()]).toEqual(['restored', true])
    await restored.leaveMark()
    expect([restored.state, await one.look(), await restored.lastMark()]).toEqual([
      'restored',
      'open',
      clock.now() - 10_000,
    ])

    await restored.resume()
    expect([await restored.mustWait(), await lookAt(back)]).toEqual([false, 'open'])
    // The old server still runs: only one of two copies continues.
    await one.leaveMark()
    expect([one.state, await one.mustWait(), await lookAt(back)]).toEqual(['restored', true, 'open'])
  })

  it('lets one of two copies of the same instant continue', async () => {
    await guardOf(db).leaveMark()
    const twin = await keptCopy()
    const [one, other] = [guardOf(db), guardOf(twin)]
    await one.leaveMark()
    await other.leaveMark()
    expect([one.state, other.state]).toEqual(['open', 'restored'])
  })

  it('missing in the file store pauses a used database, but not a new one or a process that saw the mark', async () => {
    expect(await lookAt(db)).toBe('open')
    const running = guardOf(db)
    await running.leaveMark()
    const bucket = memoryFiles()
    expect(await lookAt(db, bucket)).toBe('restored')
    files.kept.clear()
    expect([await running.look(), await lookAt(db)]).toEqual(['open', 'restored'])
    await running.leaveMark()
    expect([await lookAt(db), await lookAt(await open())]).toEqual(['open', 'restored'])
  })

  it('is unknown while the file store does not respond, and a process that knows its state continues', async () => {
    const running = guardOf(db)
    await running.leaveMark()
    const silent = { ...files, get: () => Promise.reject(new Error('no answer')) }
    const started = new RestoreGuard({ db, files: silent, clock, random })
    await expect(started.look()).rejects.toThrow('no answer')
    expect([started.state, await started.mustWait()]).toEqual(['unknown', true])
    const put = files.put
    files.put = () => Promise.reject(new Error('no answer'))
    await expect(running.leaveMark()).rejects.toThrow('no answer')
    expect(await running.mustWait()).toBe(false)
    files.put = put
    expect([await running.look(), await lookAt(db)]).toEqual(['open', 'open'])
    // Simulates a process killed between database and files, at the first mark.
    const fresh = await open()
    const first = new RestoreGuard({ db: fresh, files: { ...memoryFiles(), put: silent.get }, clock, random })
    await expect(first.leaveMark()).rejects.toThrow('no answer')
    expect(await lookAt(fresh, memoryFiles())).toBe('open')
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
    const right = clock.now()
    clock.advance(60 * 86_400_000)
    const wrong = clock.now()
    await db.write.insertInto('restore_marks').values({ mark: 'ahead', made_at: wrong, kept_at: wrong }).execute()
    clock.advance(-60 * 86_400_000)
    expect([await guard.lastMark(), await guard.futureMark()]).toEqual([right, wrong])
    await db.write.deleteFrom('restore_marks').where('made_at', '=', right).execute()
    expect([await guard.lastMark(), await guard.futureMark()]).toEqual([null, wrong])
  })

  it('is kept for a day', async () => {
    const guard = guardOf(db)
    for (let hour = 0; hour < 30; hour += 1) {
      await guard.leaveMark()
      clock.advance(3_600_000)
    }
    const kept = await rowsOf(db, 'restore_marks', ['kept_at'])
    expect([kept.length, kept.some(({ kept_at }) => kept_at === null)]).toEqual([25, false])
  })
})
