import { beforeAll, expect, it } from 'vitest'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { ContentCache } from './content-cache.ts'
import { bumpContentVersion } from './content-version.ts'
import { type Database, openDatabase } from './open.ts'

describeOnBothEngines('the cache of content', (open) => {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  const reads = async (cache: ContentCache<string>, ...keys: string[]): Promise<string[]> => {
    const read: string[] = []
    const found = await cache.several(db, keys, async (missing) => {
      read.push(...missing)
      return new Map(missing.filter((key) => key !== 'none').map((key) => [key, key]))
    })
    expect([...found]).toEqual(keys.filter((key) => key !== 'none').map((key) => [key, key]))
    return read
  }

  it('holds at most its limit, and drops the least recently used value first', async () => {
    const cache = new ContentCache<string>(3)
    expect(await reads(cache, 'a', 'b', 'none')).toEqual(['a', 'b', 'none'])
    expect(await reads(cache, 'none', 'a', 'b')).toEqual([])
    expect(await reads(cache, 'c')).toEqual(['c'])
    expect(await reads(cache, 'b', 'a', 'c')).toEqual([])
    expect(await reads(cache, 'none')).toEqual(['none'])
    expect(await reads(cache, 'd', 'e', 'f', 'g')).toEqual(['d', 'e', 'f', 'g'])
    expect(await reads(cache, 'e', 'f', 'g')).toEqual([])
  })

  it('is read again as soon as any process has changed the content', async () => {
    const cache = new ContentCache<string>(100)
    const other = await openDatabase(placeOf(db))
    expect(await reads(cache, 'a')).toEqual(['a'])
    expect(await cache.one(db, 'a', async () => 'another')).toBe('a')
    await other.transaction((tx) => bumpContentVersion(tx))
    await other.close()
    expect(await cache.one(db, 'a', async () => 'another')).toBe('another')
    expect(await cache.one(db, 'none', async () => null)).toBeNull()
  })
})
