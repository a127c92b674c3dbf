import { describe, expect, it } from 'vitest'
import { copyAll, tablesInOrder } from './copy.ts'
import { enqueue } from './jobs.ts'
import type { Database } from './open.ts'
import { addLocation, addTenant, addUnits } from './sample-rows.ts'
import { describeOnBothEngines, openerForTests } from './testing.ts'

const everything = async (db: Database) => {
  const all: Record<string, unknown[]> = {}
  for (const table of tablesInOrder) {
    const rows = await db.read.selectFrom(table).selectAll().execute()
    all[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return all
}

describeOnBothEngines('The whole business', (open) => {
  const openSqlite = openerForTests()

  it('is carried over to an empty database, and to no other', async () => {
    const from = await openSqlite()
    await addLocation(from.write, 'L001', { lat: 33.771_234_567_89 })
    await addUnits(from.write, 'L001', { unitTypeId: 1, numbers: Array.from({ length: 2000 }, (_, n) => `U${n}`) })
    await addTenant(from.write, 'L001', 1, { first: 'Zoë', military: '{"branch":"Navy"}' })
    await enqueue(from.write, { kind: 'mail', once: 'x', payload: { a: 1 }, runAt: 1_795_000_000_123 })
    const to = await open()
    const told: string[] = []
    await copyAll(from, to, (table, rows) => told.push(`${table} ${rows}`))
    expect(told).toContain('units 2000')
    expect(await everything(to)).toEqual(await everything(from))

    await expect(copyAll(from, to)).rejects.toThrow('in use already')

    const back = await openSqlite()
    await copyAll(to, back)
    expect(await everything(back)).toEqual(await everything(from))
  })
})

describe('The list of tables', () => {
  const openSqlite = openerForTests()

  it('names all there are', async () => {
    const db = await openSqlite()
    const there = (await db.read.introspection.getTables()).map((table) => table.name)
    expect([...tablesInOrder].sort()).toEqual(there.sort())
  })
})
