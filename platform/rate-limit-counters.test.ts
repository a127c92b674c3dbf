import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeOnBothEngines, openerForTests, placeOf } from '../tests/support/databases.ts'
import { type Database, openDatabase } from './database/open.ts'
import { RateLimits, type SharedLimit } from './rate-limit-counters.ts'

describeOnBothEngines('shared rate limits', (open) => {
  let db: Database
  let other: Database
  beforeAll(async () => {
    db = await open()
    other = await openDatabase(placeOf(db))
  })
  // Hooks run in reverse order, so this one runs before the one of `open`, which removes the database.
  afterAll(() => other.close())

  it('allows exactly the limit of many concurrent calls from two processes', async () => {
    const clock = { now: () => 5_000_000 }
    const limits = [new RateLimits({ db, clock }), new RateLimits({ db: other, clock })]
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (limits[n % 2] as RateLimits).consume('login:x', { points: 5, perSeconds: 60, shared: true }),
      ),
    )
    expect(all.filter((result) => result.allowed)).toHaveLength(5)
    expect(all.filter((result) => !result.allowed).every((result) => result.retryAfterSeconds === 60)).toBe(true)
  })

  it('counts several keys until one refuses, and none after that', async () => {
    let now = 7_000_000
    const clock = { now: () => now }
    const first = new RateLimits({ db, clock })
    const second = new RateLimits({ db: other, clock })
    const keys: { key: string; limit: SharedLimit }[] = [
      { key: 'whom', limit: { points: 3, perSeconds: 60, shared: true } },
      { key: 'whom:day', limit: { points: 5, perSeconds: 600, shared: true } },
    ]
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? first : second).consumeAll(keys)))
    expect(tries.filter((result) => result.allowed)).toHaveLength(3)
    expect(tries.filter((result) => !result.allowed).every((result) => result.retryAfterSeconds === 60)).toBe(true)
    // Calls that the first key refused did not count against the day.
    now += 60_000
    const later = [await first.consumeAll(keys), await second.consumeAll(keys), await second.consumeAll(keys)]
    expect(later.map((result) => result.allowed)).toEqual([true, true, false])
    expect(later[2]?.retryAfterSeconds).toBe(540)
    // The first key also counted the call that the second key refused.
    expect((await first.consume('whom', { points: 3, perSeconds: 60, shared: true })).allowed).toBe(false)
  })

  it('starts again when the window has ended or the count was dropped', async () => {
    let now = 1_000
    const limits = new RateLimits({ db, clock: { now: () => now } })
    const limit: SharedLimit = { points: 2, perSeconds: 10, shared: true }
    const spend = async (key = 'code') => (await limits.consume(key, limit)).allowed
    expect([await spend(), await spend(), await spend()]).toEqual([true, true, false])
    expect(await spend('another')).toBe(true)
    now += 9_001
    expect(await limits.consume('code', limit)).toEqual({ allowed: false, retryAfterSeconds: 1 })
    now += 999
    expect([await spend(), await spend(), await spend()]).toEqual([true, true, false])
    await limits.reset('code')
    expect(await spend()).toBe(true)
    now += 20_000
    expect(await limits.deleteExpired()).toBe(2)
  })

  it('counts within a transaction, and not if it is rolled back', async () => {
    const limits = new RateLimits({ db, clock: { now: () => 9_000_000 } })
    const limit: SharedLimit = { points: 1, perSeconds: 60, shared: true }
    const take = (fails: boolean) =>
      db.transaction(async (tx) => {
        const refused = await limits.consumeIn(tx, [
          { key: 'seen', limit: { ...limit, points: 2 } },
          { key: 'taken', limit },
        ])
        if (fails) throw new Error('rolled back')
        return refused?.key
      })
    await expect(take(true)).rejects.toThrow('rolled back')
    expect([await take(false), await take(false), await take(false)]).toEqual([undefined, 'taken', 'seen'])
    expect(await limits.retryAfter('taken', limit)).toBe(60)
  })
})

describe('limits on floods', () => {
  const open = openerForTests()
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  it('counts a network of IPv6 addresses as one', async () => {
    const limits = new RateLimits({ db, clock: { now: () => 1_000 } })
    const tries = ['2001:db8::1', '2001:db8::2', '2001:db8::a:3', '2001:db8:0:1::1']
    const allowed: boolean[] = []
    for (const address of tries)
      allowed.push((await limits.consumeFrom(address, 'look-up', { points: 2, perSeconds: 60 })).allowed)
    expect(allowed).toEqual([true, true, false, true])
  })

  it('allows its number of calls in a window, counted per process and never stored', async () => {
    let now = 5_000_000
    const clock = { now: () => now }
    const firstLimits = new RateLimits({ db, clock })
    const otherLimits = new RateLimits({ db, clock })
    const limit = { points: 60, perSeconds: 10 }
    const calls = async (limits: RateLimits, count: number) => {
      const all = Array.from({ length: count }, () => limits.consumeFrom('203.0.113.77', 'op:flood', limit))
      return (await Promise.all(all)).filter(({ allowed }) => allowed).length
    }
    expect(await calls(firstLimits, 40)).toBe(40)
    now += 9_001
    expect(await calls(firstLimits, 40)).toBe(20)
    expect(await firstLimits.consumeFrom('203.0.113.77', 'op:flood', limit)).toEqual({
      allowed: false,
      retryAfterSeconds: 1,
    })
    expect(await firstLimits.retryAfter('op:flood:203.0.113.77', limit)).toBe(1)
    expect(await calls(otherLimits, 40)).toBe(40)
    now += 999
    expect(await firstLimits.retryAfter('op:flood:203.0.113.77', limit)).toBe(0)
    expect(await calls(firstLimits, 100)).toBe(60)
    expect(await db.read.selectFrom('limits').selectAll().execute()).toEqual([])
  })

  it('keeps the counts of busy addresses when there are more addresses than it stores', async () => {
    const limits = new RateLimits({ db, clock: { now: () => 1 } })
    const limit = { points: 3, perSeconds: 10 }
    const call = async (address: string) => (await limits.consumeFrom(address, 'op:flood', limit)).allowed
    const busy: boolean[] = []
    for (let at = 0; at < 30_000; at += 1) {
      if (at % 6000 === 0) busy.push(await call('203.0.113.1'))
      await call(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    }
    expect(busy).toEqual([true, true, true, false, false])
  })
})
