import { beforeAll, expect, it } from 'vitest'
import {
  applyPage,
  BEGINNING,
  forgetCopy,
  hasChangesAfter,
  joined,
  knowsPosition,
  type Page,
  positionIn,
  readPage,
  recordChanges,
  refuseWrites,
  settledSince,
  type ToldTable,
} from './changes.ts'
import { type Database, openDatabase } from './open.ts'
import { addLocation, addTenant, addUnits } from './sample-rows.ts'
import { describeOnBothEngines, placeOf } from './testing.ts'

const told: ToldTable[] = [
  { name: 'locations', key: ['location_code'] },
  { name: 'unit_types', key: ['location_code', 'unit_type_id'] },
  { name: 'units', key: ['location_code', 'unit_id'] },
  { name: 'tenants', key: ['location_code', 'tenant_id'] },
  { name: 'gate_codes', key: ['location_code', 'gate_code'] },
  { name: 'tenant_notes', key: ['note_id'], insertsOnly: true },
]
const names = told.map((table) => table.name)

describeOnBothEngines('What one database tells another', (open, engine) => {
  let from: Database
  let to: Database

  // One pair for all of them, each going on where the one before has stopped.
  beforeAll(async () => {
    from = await open()
    await addLocation(from.write, 'L001')
    await addUnits(from.write, 'L001', { unitTypeId: 1, numbers: ['101', '102', '103'] })
    await recordChanges(from, told, 'feed one')
    to = await open()
    await refuseWrites(to, names)
  })

  /** Reads to the end in small pages, joining those that cannot stand alone. @returns how many were brought in */
  async function catchUp(limit = 100): Promise<number> {
    for (let brought = 0; ; ) {
      const pages: [Page, ...Page[]] = [await readPage(from, told, await positionIn(to, 'feed one'), limit)]
      for (;;) {
        const done = await applyPage(to, joined(pages), told)
        if (done === 'applied') break
        expect(done).toBe('clash')
        pages.push(await readPage(from, told, (pages.at(-1) as Page).upto, limit))
      }
      brought += 1
      if (pages.at(-1)?.complete) return brought
    }
  }
  const units = (db: Database) =>
    db.read.selectFrom('units').select(['unit_id', 'unit_number', 'status']).orderBy('unit_id').execute()
  const rename = (unit: number, number: string) =>
    from.write.updateTable('units').set({ unit_number: number }).where('unit_id', '=', unit).execute()
  const version = async () =>
    (await to.read.selectFrom('content_version').select('version').executeTakeFirstOrThrow()).version

  it('what was there before is told as well, page by page, and then only what has changed', async () => {
    expect(await catchUp(2)).toBeGreaterThan(2)
    expect(await units(to)).toEqual(await units(from))
    expect(await to.read.selectFrom('locations').selectAll().execute()).toEqual(
      await from.read.selectFrom('locations').selectAll().execute(),
    )
    const before = await positionIn(to, 'feed one')
    expect(await hasChangesAfter(from, before)).toBe(false)
    await rename(2, '202')
    await rename(2, '203')
    expect(await hasChangesAfter(from, before)).toBe(true)
    const page = await readPage(from, told, before)
    expect(page.changes).toMatchObject([{ table: 'units', key: ['L001', 2], rows: [{ unit_number: '203' }] }])
    expect(await applyPage(to, page, told)).toBe('applied')
    expect(await units(to)).toEqual(await units(from))
    // The same page again, or one that does not follow.
    expect(await applyPage(to, page, told)).toBe('elsewhere')
  })

  it('unique values change places, whatever page the rows are on', async () => {
    await catchUp()
    await rename(1, 'spare')
    await rename(2, '101')
    await rename(1, '102')
    await rename(3, '303')
    await catchUp(1)
    expect((await units(to)).map((unit) => unit.unit_number)).toEqual(['102', '101', '303'])
    await rename(1, 'spare')
    await rename(2, '102')
    await rename(1, '101')
    expect(await catchUp()).toBe(1)
    expect(await units(to)).toEqual(await units(from))
  })

  it('a row that goes, goes; one that changed nothing is not told of; one that is only locked neither', async () => {
    await catchUp()
    const before = await positionIn(to, 'feed one')
    await from.write.updateTable('units').set({ status: 'free' }).where('unit_id', '=', 1).execute()
    expect(await hasChangesAfter(from, before)).toBe(false)
    await from.write.deleteFrom('units').where('unit_id', '=', 3).execute()
    await rename(1, '303')
    await catchUp(1)
    expect((await units(to)).map((unit) => unit.unit_number)).toEqual(['303', '102'])
  })

  it('rows that share a key are told and replaced together', async () => {
    await addTenant(from.write, 'L001', 1001)
    const code = (active: 0 | 1, created_at: number) => ({
      ...{ location_code: 'L001', gate_code: '4711', tenant_id: 1001, lease_number: null },
      ...{ time_zone_name: 'standard', active, created_at },
    })
    await from.write.insertInto('gate_codes').values(code(0, 1)).execute()
    await catchUp()
    await from.write.insertInto('gate_codes').values(code(1, 2)).execute()
    await catchUp()
    const codes = (db: Database) => db.read.selectFrom('gate_codes').selectAll().orderBy('created_at').execute()
    expect(await codes(to)).toHaveLength(2)
    expect(await codes(to)).toEqual(await codes(from))
  })

  it('nobody else writes to the copy, but a row may be locked, and what is not copied is one’s own', async () => {
    await catchUp()
    const refused = /written by the storage system/
    await expect(to.write.updateTable('units').set({ status: 'off' }).execute()).rejects.toThrow(refused)
    await expect(to.write.deleteFrom('units').execute()).rejects.toThrow(refused)
    await expect(addLocation(to.write, 'L002')).rejects.toThrow(refused)
    await to.write
      .updateTable('units')
      .set((eb) => ({ unit_id: eb.ref('unit_id') }))
      .execute()
    await to.write.insertInto('settings').values({ name: 'banner', value: 'Hi', updated_at: 1 }).execute()
    expect(await units(to)).toEqual(await units(from))
  })

  it('what is brought in is not told back, and only what prices are made from makes pages anew', async () => {
    await recordChanges(
      to,
      [
        { name: 'settings', key: ['name'] },
        { name: 'units', key: ['location_code', 'unit_id'] },
      ],
      'feed two',
    )
    const own = (await readPage(to, told, BEGINNING)).upto
    const before = await version()
    await from.write.updateTable('units').set({ status: 'off' }).where('unit_id', '=', 1).execute()
    await catchUp()
    expect(await hasChangesAfter(to, own)).toBe(false)
    expect(await version()).toBe(before)
    await from.write.updateTable('unit_types').set({ rent: 1 }).execute()
    await catchUp()
    expect(await version()).toBe(before + 1)
  })

  it.skipIf(engine === 'sqlite')(
    'what an older transaction writes is not passed by; one of another database holds up nothing',
    async () => {
      await catchUp()
      const before = await positionIn(to, 'feed one')
      const held = async (db: Database, work: Parameters<Database['transaction']>[0]) => {
        const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const done = db.transaction(async (tx) => {
          await work(tx)
          begun.resolve()
          await over.promise
        })
        await begun.promise
        return async () => {
          over.resolve()
          await done
        }
      }
      const endElsewhere = await held(to, (tx) => tx.updateTable('content_version').set({ version: 900 }).execute())
      const endOlder = await held(from, (tx) =>
        tx.updateTable('units').set({ status: 'off' }).where('unit_id', '=', 2).execute(),
      )
      await rename(1, '404')
      const waiting = await settledSince(from, null)
      expect(waiting.settled).toBe(false)
      expect((await readPage(from, told, before)).changes).toEqual([])
      await endOlder()
      expect(await settledSince(from, waiting.since)).toEqual({ settled: true, since: waiting.since })
      expect((await readPage(from, told, before)).changes.map((change) => change.key[1]).sort()).toEqual([1, 2])
      await endElsewhere()
      await catchUp()
      expect(await units(to)).toEqual(await units(from))
    },
  )

  it('the position outlives a start of either; another feed or an older state of it is noticed', async () => {
    await catchUp()
    const position = await positionIn(to, 'feed one')
    await recordChanges(from, told, 'another name')
    const again = await openDatabase(placeOf(to))
    try {
      await refuseWrites(again, names)
      expect(await positionIn(again, 'feed one')).toBe(position)
    } finally {
      await again.close()
    }
    expect((await readPage(from, told, position)).feed).toBe('feed one')
    expect(await knowsPosition(from, position)).toBe(true)
    expect(await knowsPosition(from, '0.999999')).toBe(false)
    await forgetCopy(to, names)
    expect(await units(to)).toEqual([])
    await catchUp()
    expect(await units(to)).toEqual(await units(from))
  })

  it('rows that are only ever added are told once, and merged with what is here', async () => {
    const note = { note_id: 'n1', location_code: 'L001', tenant_id: 1001, lease_number: null, created_at: 1 }
    await from.write
      .insertInto('tenant_notes')
      .values({ ...note, note: 'first' })
      .execute()
    await catchUp()
    const before = await positionIn(to, 'feed one')
    await from.write.updateTable('tenant_notes').set({ note: 'changed' }).execute()
    expect(await hasChangesAfter(from, before)).toBe(false)
    const page = {
      ...(await readPage(from, told, before)),
      changes: [{ table: 'tenant_notes', key: ['n1'], rows: [{ ...note, note: 'other' }] }],
    }
    const keeping = told.map((table) => ({ ...table, merge: () => null }))
    expect(await applyPage(to, { ...page, upto: '9.999' }, keeping)).toBe('applied')
    expect((await to.read.selectFrom('tenant_notes').select('note').execute()).map((row) => row.note)).toEqual([
      'first',
    ])
  })
})
