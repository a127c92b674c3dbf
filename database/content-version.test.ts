import { beforeAll, describe, expect, it } from 'vitest'
import {
  bumpContentVersion,
  currentContentVersion,
  KeptWithContent,
  recentContentVersion,
  withVersionAlong,
} from './content-version.ts'
import type { Database } from './open.ts'
import { PackedRows } from './packed-rows.ts'
import { openerForTests } from './testing.ts'

describe('What is kept with the content', () => {
  const open = openerForTests()
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  /** Asks for some keys. @returns those that had to be read */
  const reads = async (kept: KeptWithContent<string>, ...keys: string[]): Promise<string[]> => {
    const read: string[] = []
    const found = await kept.several(db, keys, async (missing) => {
      read.push(...missing)
      return new Map(missing.filter((key) => key !== 'none').map((key) => [key, key]))
    })
    expect([...found]).toEqual(keys.filter((key) => key !== 'none').map((key) => [key, key]))
    return read
  }

  it('weighs no more than it may, and what was asked for longest ago goes first', async () => {
    const kept = new KeptWithContent<string>(10, (text) => text.length)
    expect(await reads(kept, 'aaaa', 'bbb', 'cc')).toEqual(['aaaa', 'bbb', 'cc'])
    expect(await reads(kept, 'aaaa', 'bbb', 'cc', 'none')).toEqual(['none'])
    // All have found room so far, so that nobody noted who was asked for last.
    expect(await reads(kept, 'd')).toEqual(['d'])
    expect(await reads(kept, 'bbb', 'cc', 'none', 'd')).toEqual([])
    expect(await reads(kept, 'eeee')).toEqual(['eeee'])
    expect(await reads(kept, 'cc', 'd', 'none', 'eeee')).toEqual([])
    expect(await reads(kept, 'bbb')).toEqual(['bbb'])
  })

  it('is answered also where it weighs more than may be kept, and where two ask for it at once', async () => {
    const kept = new KeptWithContent<string>(3, (text) => text.length)
    expect(await reads(kept, 'much')).toEqual(['much'])
    expect(await reads(kept, 'much')).toEqual(['much'])
    const current = { version: await currentContentVersion(db) }
    const both = [1, 2].map(() => kept.one(db, 'abc', async () => 'abc', current))
    expect(await Promise.all(both)).toEqual(['abc', 'abc'])
    // Counted once, it has room still.
    expect(await reads(kept, 'abc')).toEqual([])
  })

  it('is read anew once the content has changed', async () => {
    const kept = new KeptWithContent<string>(100)
    expect(await reads(kept, 'a')).toEqual(['a'])
    await db.transaction((tx) => bumpContentVersion(tx))
    expect(await reads(kept, 'a')).toEqual(['a'])
    expect(await reads(kept, 'a')).toEqual([])
  })

  it('is used without asking for the version where another statement carries it, and made anew where that is another', async () => {
    const change = () => db.transaction((tx) => bumpContentVersion(tx))
    const version = () =>
      db.read
        .selectFrom('content_version')
        .select('version')
        .executeTakeFirstOrThrow()
        .then((row) => row.version)
    const tried: number[] = []
    const made = (carried: () => Promise<number | null>) => {
      tried.length = 0
      return withVersionAlong(db, async (current) => {
        tried.push(current.version)
        return { made: current.version, version: await carried() }
      })
    }
    const before = await currentContentVersion(db)
    expect(await made(version)).toBe(before)
    expect(tried).toEqual([before])
    await change()
    expect(await recentContentVersion(db)).toBe(before)
    expect(await made(version)).toBe(before + 1)
    expect(tried).toEqual([before, before + 1])
    expect(await recentContentVersion(db)).toBe(before + 1)
    // Without a statement to carry it, it is asked.
    expect(await made(async () => null)).toBe(before + 1)
    expect(tried).toEqual([before + 1])
    await change()
    expect(await made(async () => null)).toBe(before + 2)
    expect(tried).toEqual([before + 1, before + 2])
  })
})

describe('Packed rows', () => {
  it.each([
    { what: 'small whole numbers', numbers: [1, -128, 127], room: 3 },
    { what: 'whole numbers', numbers: [1, -129, 32_767], room: 6 },
    { what: 'large whole numbers', numbers: [1, -2, 2_147_483_647], room: 12 },
    { what: 'larger ones', numbers: [1, -2, 2_147_483_648], room: 24 },
    { what: 'fractions', numbers: [0.5, 1, 1e12], room: 24 },
  ])('are taken out as they were put in: $what', ({ numbers, room }) => {
    const texts = ['A"1', 'b,\n\u001f ', '庫']
    const packed = new PackedRows(numbers.map((number, at) => ({ numbers: [number], texts: [texts[at] ?? '', 'x'] })))
    expect(Array.from(packed.numbers(0))).toEqual(numbers)
    expect(packed.length).toBe(3)
    expect(packed.texts(0)).toEqual(texts)
    expect(packed.texts(1)).toEqual(['x', 'x', 'x'])
    const wider = new PackedRows(numbers.map(() => ({ numbers: [0], texts: [''] })))
    const narrow = new PackedRows(numbers.map((_, at) => ({ numbers: [0], texts: [texts[at] ?? '', 'x'] })))
    expect(packed.bytes - narrow.bytes).toBe(room - numbers.length)
    expect(packed.bytes).toBeGreaterThan(wider.bytes)
  })

  it('may be none', () => {
    const packed = new PackedRows([])
    expect([packed.length, packed.numbers(0).length, packed.texts(0)]).toEqual([0, 0, []])
  })
})
