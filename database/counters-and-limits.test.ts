import { beforeAll, expect, it, test } from 'vitest'
import { bumpContentVersion, currentContentVersion } from './content-version.ts'
import { nextNumber, numbersTaken } from './counters.ts'
import { Limits, networkOf } from './limits.ts'
import { type Database, openDatabase } from './open.ts'
import { describeOnBothEngines, placeOf } from './testing.ts'

describeOnBothEngines('Counters and limits', (open) => {
  let db: Database
  let other: Database
  beforeAll(async () => {
    db = await open()
    other = await openDatabase(placeOf(db))
    return () => other.close()
  })

  it('counts whoever has a network of IPv6 addresses once', async () => {
    const limits = new Limits({ db, clock: { now: () => 1_000 } })
    const tries = ['2001:db8::1', '2001:db8::2', '2001:db8::a:3', '2001:db8:0:1::1']
    const allowed: boolean[] = []
    for (const address of tries)
      allowed.push((await limits.spendFrom(address, 'look-up', { points: 2, perSeconds: 60 })).allowed)
    expect(allowed).toEqual([true, true, false, true])
  })

  it('gives each of 100 askers its own number, without gaps', async () => {
    const asked = Array.from({ length: 100 }, (_, n) =>
      (n % 2 ? db : other).transaction((tx) => nextNumber(tx, 'L001', 'lease', 10_000)),
    )
    const numbers = (await Promise.all(asked)).sort((a, b) => a - b)
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

  it('goes on after numbers that were brought in', async () => {
    await db.transaction((tx) => numbersTaken(tx, 'L004', 'lease', 500))
    await db.transaction((tx) => numbersTaken(tx, 'L004', 'lease', 300))
    expect(await db.transaction((tx) => nextNumber(tx, 'L004', 'lease'))).toBe(501)
  })

  it('lets exactly as many pass as may, of many at once and from two processes', async () => {
    const clock = { now: () => 5_000_000 }
    const limits = [new Limits({ db, clock }), new Limits({ db: other, clock })]
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (limits[n % 2] as Limits).spend('login:x', { points: 5, perSeconds: 60 })),
    )
    expect(all.filter((one) => one.allowed)).toHaveLength(5)
    expect(all.filter((one) => !one.allowed).every((one) => one.retryAfterSeconds === 60)).toBe(true)
  })

  it('counts several keys at once until one refuses, and none behind that', async () => {
    let now = 7_000_000
    const clock = { now: () => now }
    const [first, second] = [new Limits({ db, clock }), new Limits({ db: other, clock })]
    const keys = [
      { key: 'whom', limit: { points: 3, perSeconds: 60 } },
      { key: 'whom:day', limit: { points: 5, perSeconds: 600 } },
    ]
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? first : second).spendAll(keys)))
    expect(tries.filter((one) => one.allowed)).toHaveLength(3)
    expect(tries.filter((one) => !one.allowed).every((one) => one.retryAfterSeconds === 60)).toBe(true)
    // Those that the first key refused did not count against the day.
    now += 60_000
    const later = [await first.spendAll(keys), await second.spendAll(keys), await second.spendAll(keys)]
    expect(later.map((one) => one.allowed)).toEqual([true, true, false])
    expect(later[2]?.retryAfterSeconds).toBe(540)
    // The first key counted the refused one too, as one after the other would have.
    expect((await first.spend('whom', { points: 3, perSeconds: 60 })).allowed).toBe(false)
  })

  const writtenOf = (key: string) =>
    db.read.selectFrom('limits').select('points').where('key', '=', key).executeTakeFirst()

  it('tallies a flood of calls in memory, exactly, and writes it down for other processes and later starts', async () => {
    let now = 5_000_000
    const clock = { now: () => now }
    const loose = { points: 60, perSeconds: 10 }
    const [first, second] = [new Limits({ db, clock }), new Limits({ db: other, clock })]
    const call = async (limits: Limits) => (await limits.tallyFrom('203.0.113.77', 'op:flood', loose)).allowed
    const calls = async (limits: Limits, count: number) => {
      const all = await Promise.all(Array.from({ length: count }, () => call(limits)))
      return all.filter((allowed) => allowed).length
    }
    expect(await calls(first, 40)).toBe(40)
    await first.writeDown()
    // The other learns of them when it writes down its own.
    expect(await calls(second, 15)).toBe(15)
    await second.writeDown()
    expect(await calls(second, 15)).toBe(5)
    await second.writeDown()
    expect(await calls(first, 1)).toBe(1)
    await first.writeDown()
    expect(await first.tallyFrom('203.0.113.77', 'op:flood', loose)).toEqual({ allowed: false, retryAfterSeconds: 10 })
    const fresh = new Limits({ db, clock })
    expect(await calls(fresh, 1)).toBe(1)
    await fresh.writeDown()
    expect(await call(fresh)).toBe(false)
    now += 10_000
    expect(await calls(fresh, 100)).toBe(60)
    await fresh.writeDown()
    expect(await call(fresh)).toBe(false)
    // Of a network of IPv6 addresses as of one, and a tight limit at once for everybody.
    const tight = { points: 2, perSeconds: 10 }
    for (const [limits, allowed] of [
      [first, true],
      [second, true],
      [first, false],
    ] as const)
      expect((await limits.tallyFrom('2001:db8:1:2::9', 'op:guess', tight)).allowed).toBe(allowed)
  })

  it('goes on tallying where nothing can be written down, and says so', async () => {
    const told: unknown[] = []
    const broken = { ...db, unsynced: () => Promise.reject(new Error('out of reach')) }
    const limits = new Limits({ db: broken, clock: { now: () => 1 }, report: (error) => void told.push(error) })
    const loose = { points: 60, perSeconds: 10 }
    for (let at = 0; at < 60; at += 1) await limits.tallyFrom('203.0.113.78', 'op:flood', loose)
    await limits.writeDown()
    expect(told).toHaveLength(1)
    expect((await limits.tallyFrom('203.0.113.78', 'op:flood', loose)).allowed).toBe(false)
  })

  it('forgets no call of a flood that could not be written down when it was to be', async () => {
    let broken = true
    const atTimes: Database = {
      ...db,
      unsynced: (work) => (broken ? Promise.reject(new Error('busy')) : db.unsynced(work)),
    }
    const clock = { now: () => 9_000_000 }
    const limits = new Limits({ db: atTimes, clock })
    const loose = { points: 60, perSeconds: 10 }
    const calls = async (of: Limits, count: number) => {
      let allowed = 0
      for (let at = 0; at < count; at += 1)
        if ((await of.tallyFrom('203.0.113.79', 'op:flood', loose)).allowed) allowed += 1
      return allowed
    }
    expect(await calls(limits, 40)).toBe(40)
    await limits.writeDown()
    broken = false
    expect(await calls(limits, 1)).toBe(1)
    await limits.writeDown()
    expect(await calls(limits, 60)).toBe(19)
    await limits.writeDown()
    const another = new Limits({ db: other, clock })
    await calls(another, 1)
    await another.writeDown()
    expect(await calls(another, 1)).toBe(0)
  })

  it('counts a window that begins while another is written down by itself', async () => {
    let now = 10_000_000
    const clock = { now: () => now }
    const goOn = Promise.withResolvers<void>()
    const slow: Database = {
      ...db,
      unsynced: async (work) => {
        const answer = await db.unsynced(work)
        await goOn.promise
        return answer
      },
    }
    const limits = new Limits({ db: slow, clock })
    const call = async (of = limits) =>
      (await of.tallyFrom('203.0.113.80', 'op:flood', { points: 60, perSeconds: 10 })).allowed
    for (let at = 0; at < 50; at += 1) await call()
    now += 9_999
    const written = limits.writeDown()
    now += 1
    for (let at = 0; at < 20; at += 1) expect(await call()).toBe(true)
    goOn.resolve()
    await written
    const passed: boolean[] = []
    for (let at = 0; at < 50; at += 1) passed.push(await call())
    expect(passed.filter((allowed) => allowed)).toHaveLength(40)
    // Nor does what came too late to be written down of one window count in the next, which another process has begun.
    now += 10_000
    await call()
    now += 10_000
    const another = new Limits({ db: other, clock })
    for (let at = 0; at < 59; at += 1) await call(another)
    await another.writeDown()
    await limits.writeDown()
    await call(another)
    await another.writeDown()
    expect(await writtenOf('op:flood:203.0.113.80')).toEqual({ points: 60 })
  })

  it('writes a flood of many down once more however often it is asked to, while that is slow', async () => {
    let writing = 0
    const goOn = Promise.withResolvers<void>()
    const slow: Database = {
      ...db,
      unsynced: async (work) => {
        writing += 1
        await goOn.promise
        return db.unsynced(work)
      },
    }
    const limits = new Limits({ db: slow, clock: { now: () => 11_000_000 } })
    const ends = new Set<Promise<void>>()
    for (let at = 0; at < 20; at += 1) {
      await limits.tallyFrom('203.0.113.81', 'op:flood', { points: 60, perSeconds: 10 })
      ends.add(limits.writeDown())
    }
    goOn.resolve()
    await Promise.all(ends)
    expect(writing).toBe(2)
    expect(await writtenOf('op:flood:203.0.113.81')).toEqual({ points: 20 })
  })

  it('begins anew when the window has ended, or is forgotten', async () => {
    let now = 1_000
    const limits = new Limits({ db, clock: { now: () => now } })
    const limit = { points: 2, perSeconds: 10 }
    const spend = async (key = 'code') => (await limits.spend(key, limit)).allowed
    expect([await spend(), await spend(), await spend()]).toEqual([true, true, false])
    expect(await spend('another')).toBe(true)
    now += 9_001
    expect(await limits.spend('code', limit)).toEqual({ allowed: false, retryAfterSeconds: 1 })
    now += 999
    expect([await spend(), await spend(), await spend()]).toEqual([true, true, false])
    await limits.forget('code')
    expect(await spend()).toBe(true)
    expect(await limits.spend('shut', { points: 0, perSeconds: 10 })).toMatchObject({ allowed: false })
    now += 20_000
    expect(await limits.sweep()).toBeGreaterThanOrEqual(3)
  })

  it('counts the versions of what public pages show', async () => {
    const before = await currentContentVersion(db)
    await db.transaction((tx) => bumpContentVersion(tx))
    expect(await currentContentVersion(other)).toBe(before + 1)
  })

  it('shows everybody a version that is at least as new as their question, however many ask at once', async () => {
    for (let round = 0; round < 5; round++) {
      const early = Array.from({ length: 8 }, () => currentContentVersion(db))
      const bumped = await other.transaction(async (tx) => {
        await bumpContentVersion(tx)
        return (await tx.selectFrom('content_version').select('version').executeTakeFirstOrThrow()).version
      })
      const late = Array.from({ length: 8 }, () => currentContentVersion(db))
      expect(Math.max(...(await Promise.all(early)))).toBeLessThanOrEqual(bumped)
      expect(new Set(await Promise.all(late))).toEqual(new Set([bumped]))
    }
  })

  it('asks anew after a reading that failed', async () => {
    const closed = await openDatabase(placeOf(db))
    await closed.close()
    await expect(currentContentVersion(closed)).rejects.toThrow()
    await expect(Promise.all([currentContentVersion(closed), currentContentVersion(closed)])).rejects.toThrow()
    expect(await currentContentVersion(db)).toBeGreaterThan(0)
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff:1:2:3', '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000:0:0:0:1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::ffff:102:304', '1.2.3.4'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('whoever is at %s counts as %s', (address, network) => expect(networkOf(address)).toBe(network))
