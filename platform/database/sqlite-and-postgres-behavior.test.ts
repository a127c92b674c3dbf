import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { addLocation, addTenant, addUnits, lease, rowsOf } from '../../tests/support/rows.ts'
import { migrations } from '../schema/migrations/index.ts'
import { columnOf, type Tables } from '../schema/tables.ts'
import { type Database, DatabaseUnavailable, isUniqueViolation, openDatabase, sqliteFile } from './open.ts'

const setting = (name: string, value = 'x') => ({ name, value, updated_at: 1 })
const addSettings = (db: Pick<Kysely<Tables>, 'insertInto'>, ...rows: ReturnType<typeof setting>[]) =>
  db.insertInto('settings').values(rows).execute()
const settingNames = async (db: Database) => (await rowsOf(db, 'settings', ['name'])).map(({ name }) => name)

describeOnBothEngines('The database', (open, engine) => {
  it('has only declared columns, nullable as declared', async () => {
    const tables = (await (await open()).read.introspection.getTables()).filter(({ isView }) => !isView)
    expect(tables.length).toBeGreaterThan(30)
    for (const { name: table, columns } of tables)
      for (const { name, isNullable } of columns)
        expect([table, name, columnOf(table as keyof Tables, name).endsWith('?')]).toEqual([table, name, isNullable])
    expect(() => columnOf('leases', 'colour')).toThrow('leases has no column colour')
  })

  let db: Database
  beforeAll(async () => {
    db = await open()
    await addLocation(db.write, 'L001')
    await addTenant(db.write, 'L001', 1)
  })

  it('is migrated once if it is opened several times at once', async () => {
    const place = placeOf(await open())
    const emptied = engine === 'sqlite' ? { dataDir: join(place.dataDir, 'empty') } : place
    if (place.url) {
      const first = await openDatabase(place)
      await sql`drop schema public cascade`.execute(first.write)
      await sql`create schema public`.execute(first.write)
      await first.close()
    }
    const several = await Promise.all([1, 2, 3].map(() => openDatabase(emptied)))
    for (const opened of several) {
      const rows = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(opened.read)
      expect(rows.rows.map((row) => row.name)).toEqual(Object.keys(migrations))
      await opened.close()
    }
    const again = await openDatabase(emptied)
    expect(await again.read.selectFrom('content_version').select('version').execute()).toEqual([{ version: 1 }])
    await again.close()
  })

  it('stores and finds a text with a character that PostgreSQL cannot store', async () => {
    const fresh = await open()
    await addSettings(fresh.write, setting('a\0b', '\0'))
    await fresh.transaction((tx) => addSettings(tx, setting('c\0')))
    const find = (name: string) =>
      fresh.read.selectFrom('settings').select(['name', 'value']).where('name', '=', name).execute()
    expect(await find('a\0b')).toEqual([{ name: 'a\ufffdb', value: '\ufffd' }])
    expect(await find('c\0')).toHaveLength(1)
  })

  it('keeps working when a newer version has changed a table', async () => {
    const older = await open()
    const newer = await openDatabase(placeOf(older))
    const settings = (db: Pick<Database['read'], 'selectFrom'>) => db.selectFrom('settings').selectAll().execute()
    const before = await settings(older.read)
    await older.transaction((tx) => settings(tx))
    await sql`alter table settings add column later text`.execute(newer.write)
    await newer.close()
    expect(await older.transaction((tx) => settings(tx))).toHaveLength(before.length)
    expect(await settings(older.read)).toHaveLength(before.length)
  })

  it('serves the previous version until a contract migration removes what it uses', async () => {
    const newer = await open()
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-the-future', '2030-01-01T00:00:00.000Z')`.execute(
      newer.write,
    )
    const before = await openDatabase(placeOf(newer))
    await before.close()
    await newer.write.insertInto('database_readers').values({ oldest_reader: '999-of-the-future' }).execute()
    await expect(openDatabase(placeOf(newer))).rejects.toThrow('newer version')
  })

  it.runIf(engine === 'sqlite')('acknowledges no write before it is on disk', async () => {
    const disk = await open()
    const write = (name: string) => addSettings(disk.write, setting(name))
    const inTransaction = (name: string) => disk.transaction((tx) => addSettings(tx, setting(name)))
    // A WAL that cannot be opened stands for an unreachable disk.
    const log = `${sqliteFile(placeOf(disk).dataDir)}-wal`
    renameSync(log, `${log}-gone`)
    for (const work of [() => write('test_a'), () => inTransaction('test_b'), () => disk.flush()])
      await expect(work()).rejects.toMatchObject({ name: 'DatabaseUnavailable', why: 'lost' })
    await disk.withoutFsync((db) => addSettings(db, setting('test_c')))
    expect(await rowsOf({ read: disk.write }, 'settings', ['name'], { name: 'test_c' })).toHaveLength(1)
    renameSync(`${log}-gone`, log)
    await Promise.all([write('test_d'), inTransaction('test_e'), disk.flush()])
  })

  it.runIf(engine === 'postgres')('waits for the disk except for writes that may be lost', async () => {
    const loadSyncSetting = async (connection: Database['write']) => {
      const { rows } = await sql<{ is: string }>`select current_setting('synchronous_commit') as "is"`.execute(
        connection,
      )
      return rows[0]?.is
    }
    expect(await loadSyncSetting(db.write)).toBe('on')
    expect(await db.transaction((tx) => loadSyncSetting(tx))).toBe('on')
    expect(await db.withoutFsync(loadSyncSetting)).toBe('off')
    await expect(db.transaction(() => db.withoutFsync(loadSyncSetting))).rejects.toThrow('Inside a transaction')
  })

  it('refuses a second open lease of a unit, and a second lease of a reservation', async () => {
    await addUnits(db.write, 'L001', { unitTypeId: 8, numbers: ['B1', 'B2'], firstId: 100 })
    const add = (lease_number: number, unit_id: number, more: { status?: 'Closed'; reservation_code?: string } = {}) =>
      db.write
        .insertInto('leases')
        .values(
          lease({ location_code: 'L001', lease_number, tenant_id: 1, unit_id, unit_number: `B${unit_id}`, ...more }),
        )
        .execute()
    await add(1, 100, { status: 'Closed', reservation_code: 'RES1' })
    await add(2, 100)
    for (const refused of [() => add(3, 100), () => add(4, 101, { reservation_code: 'RES1' })])
      expect(isUniqueViolation(await refused().catch((error: unknown) => error))).toBe(true)
  })

  it('shows a transaction’s changes only after its commit, and never after an error', async () => {
    const countAll = async () => (await settingNames(db)).length
    const before = await countAll()
    const { promise: written, resolve: signalWritten } = Promise.withResolvers<void>()
    const { promise: checked, resolve: finish } = Promise.withResolvers<void>()
    const writing = db.transaction(async (tx) => {
      await addSettings(tx, setting('app_banner'))
      signalWritten()
      await checked
    })
    await written
    expect(await countAll()).toBe(before)
    finish()
    await writing
    expect(await countAll()).toBe(before + 1)

    const failing = db.transaction(async (tx) => {
      await addSettings(tx, setting('brand'))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await countAll()).toBe(before + 1)
  })

  it('fails at once when the outer connection is used inside a transaction', async () => {
    const invalid = [
      () => db.transaction(() => db.write.selectFrom('settings').selectAll().execute()),
      () => db.transaction(() => db.read.selectFrom('settings').selectAll().execute()),
      () => db.transaction(() => db.transaction(async () => 1)),
    ]
    for (const misuse of invalid) await expect(misuse()).rejects.toThrow(/transaction/)
    expect(await db.transaction(async () => 'fine')).toBe('fine')
  })

  it('returns the same types of values from both engines', async () => {
    await addUnits(db.write, 'L001', { unitTypeId: 9, numbers: ['C1', 'c2', 'Ä3'], firstId: 200 })
    const instant = 1_795_000_000_123
    await db.write
      .updateTable('units')
      .set({ held_until: instant, left_coordinate: 1.25 })
      .where('unit_id', '=', 200)
      .execute()
    const unit = await db.read.selectFrom('units').selectAll().where('unit_id', '=', 200).executeTakeFirstOrThrow()
    expect(unit).toMatchObject({ held_until: instant, left_coordinate: 1.25, held_by: null })
    expect(Object.getPrototypeOf(unit)).toBe(Object.prototype)
    const sums = await db.read
      .selectFrom('units')
      .select((e) => [e.fn.sum('unit_id').as('sum'), e.fn.countAll().as('count'), e.fn.max('held_until').as('last')])
      .where('unit_type_id', '=', 9)
      .executeTakeFirstOrThrow()
    expect(sums).toEqual({ sum: 603, count: 3, last: instant })
    const ofType = db.read.selectFrom('units').select('unit_number').where('unit_type_id', '=', 9)
    const sorted = await ofType.orderBy('unit_number').execute()
    expect(sorted.map((row) => row.unit_number)).toEqual(['C1', 'c2', 'Ä3'])
    expect(await ofType.where('unit_number', 'like', 'C%').execute()).toEqual([{ unit_number: 'C1' }])
    const changed = await db.write
      .updateTable('units')
      .set({ rotate: 1 })
      .where('unit_type_id', '=', 9)
      .executeTakeFirst()
    expect(changed.numUpdatedRows).toBe(3n)
    const invalid = [sql`update units set floor_no = 'ground'`, sql`update locations set sboa = 2`]
    for (const change of invalid) await expect(change.execute(db.write)).rejects.toThrow()
  })

  it.runIf(engine === 'sqlite')('notices a column that was added while it is open', async () => {
    const database = await open()
    const all = () => database.read.selectFrom('content_version').selectAll().execute()
    expect(await all()).toEqual([{ id: 1, version: 1 }])
    await sql`alter table content_version add column note text not null default 'new'`.execute(database.write)
    expect(await all()).toEqual([{ id: 1, version: 1, note: 'new' }])
  })

  it.runIf(engine === 'sqlite')(
    'reads what other connections have committed, and refuses writes by the reading connection',
    async () => {
      const database = await open()
      for (const kind of ['a', 'b', 'c'])
        await database.write.insertInto('counters').values({ location_code: 'L001', kind, next: 0 }).execute()
      const counters = database.read.selectFrom('counters').select(['kind', 'next']).orderBy('kind')
      const all = async () => (await counters.execute()).map(({ kind, next }) => `${kind}${next}`).join(' ')
      const rows = counters.stream(1)[Symbol.asyncIterator]()
      expect(await rows.next()).toMatchObject({ value: { kind: 'a' } })
      await database.transaction(async (tx) => {
        await tx.updateTable('counters').set({ next: 7 }).execute()
        // Streamed rows show the state at the first row.
        expect(await rows.next()).toMatchObject({ value: { kind: 'b', next: 0 } })
        expect(await rows.next()).toMatchObject({ value: { kind: 'c', next: 0 } })
        expect(await rows.next()).toMatchObject({ done: true })
      })
      expect(await all()).toBe('a7 b7 c7')
      const other = await openDatabase(placeOf(database))
      await other.write.updateTable('counters').set({ next: 8 }).execute()
      expect(await all()).toBe('a8 b8 c8')
      await other.close()
      for (const text of [
        'delete from counters',
        'with one as (select 1) delete from counters',
        'replace into settings values (1, 2, 3)',
      ])
        await expect(sql.raw(text).execute(database.read)).rejects.toThrow(/readonly|unavailable|cannot be reached/i)
      expect(await all()).toBe('a8 b8 c8')
    },
  )

  it('refuses rows of an unknown facility', async () => {
    await expect(addTenant(db.write, 'L999', 5)).rejects.toThrow(/foreign key/i)
  })

  it('can be opened read-only', async () => {
    const readOnlyDatabase = await openDatabase({ ...placeOf(db), readOnly: true })
    expect(await rowsOf(readOnlyDatabase, 'locations', ['location_code'])).toEqual([{ location_code: 'L001' }])
    await expect(addSettings(readOnlyDatabase.write, setting('x'))).rejects.toThrow()
    await readOnlyDatabase.close()
  })

  it('throws DatabaseUnavailable once closed, and without a server or file', async () => {
    const closed = await open()
    await closed.ping()
    await closed.close()
    await expect(closed.ping()).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(closed.transaction(async () => 1)).rejects.toBeInstanceOf(DatabaseUnavailable)
    const nowhere = placeOf(closed).url
      ? openDatabase({ url: 'postgres://nobody@127.0.0.1:9/none', dataDir: placeOf(closed).dataDir })
      : openDatabase({ dataDir: join(placeOf(closed).dataDir, 'none'), readOnly: true })
    await expect(nowhere).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  it.runIf(engine === 'postgres')('keeps working after its connections were cut', async () => {
    const cut = await open()
    await cut.ping()
    const { rows: names } = await sql<{ name: string }>`select current_database() as name`.execute(cut.read)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${names[0]?.name ?? ''}`.execute(
      db.write,
    )
    const midway = cut.transaction(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0}::int)`.execute(db.write)
      await addSettings(tx, setting('lost'))
    })
    await expect(midway).rejects.toMatchObject({ name: 'DatabaseUnavailable', why: 'lost', retryAfterSeconds: 5 })
    // A broken idle connection is noticed by its socket's event or by its next query.
    const read = () => cut.read.selectFrom('settings').selectAll().execute()
    const failed: unknown[] = []
    const again = (error: unknown) => {
      failed.push(error)
      return read()
    }
    expect(await read().catch(again).catch(again)).toEqual([])
    for (const error of failed) expect(error).toMatchObject({ name: 'DatabaseUnavailable', why: 'lost' })
  })

  it.runIf(engine === 'postgres')('does not reuse a connection that timed out', async () => {
    const place = placeOf(db)
    const url = new URL(place.url ?? '')
    url.searchParams.set('query_timeout', '1000')
    const impatient = await openDatabase({ ...place, url: url.href })
    const key = 4711
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holder = db.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(${key})`.execute(tx)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const hanging = (connection: Kysely<Tables>) =>
      connection.selectNoFrom(sql`cast(pg_advisory_xact_lock(${key}) as text)`.as('waited'))
    const read = (connection: Kysely<Tables>) =>
      connection.selectFrom('settings').select('name').where('name', '=', 'nobody')
    const attempts: (() => Promise<unknown>)[] = [
      () => hanging(impatient.read).execute(),
      () => impatient.transaction((tx) => hanging(tx).execute()),
    ]
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ name: 'DatabaseUnavailable', why: 'lost' })
      expect(await read(impatient.read).execute()).toEqual([])
    }
    release.resolve()
    await holder
    await impatient.close()
  })

  it.runIf(engine === 'postgres')('prepares repeated statements, however many different ones came before', async () => {
    // Prepared statements are counted by process, and other tests ran in this one.
    vi.resetModules()
    const fresh = await (await import('./open.ts')).openDatabase(placeOf(db))
    const prepared = await fresh.transaction(async (tx) => {
      for (let once = 0; once < 450; once += 1) await sql`select ${sql.lit(once)} as number_asked_once`.execute(tx)
      for (let times = 0; times < 3; times += 1) await sql`select ${times}::int as number_asked_again`.execute(tx)
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where statement like '%number_asked_%'`.execute(tx)
      return rows
    })
    await fresh.close()
    expect(prepared).toEqual([{ statement: 'select $1::int as number_asked_again' }])
  })

  it('returns stored values, prepared or not, even after a failed statement', async () => {
    const row = { name: 'ü " \n', value: JSON.stringify([1.5, null]), updated_at: 1_800_000_000_123 }
    await addSettings(db.write, row)
    for (let time = 0; time < 4; time += 1) {
      await expect(db.transaction((tx) => sql`select no_such_column from settings`.execute(tx))).rejects.toThrow()
      const rows = await db.transaction((tx) =>
        tx.selectFrom('settings').selectAll().where('name', '=', row.name).execute(),
      )
      expect(rows).toEqual([row])
    }
  })

  it.runIf(engine === 'postgres')('runs a transaction again after a deadlock', async () => {
    await addSettings(db.write, setting('first'), setting('second'))
    const add = (name: string) => sql`update settings set updated_at = updated_at + 1 where name = ${name}`
    let arrived = 0
    const { promise: together, resolve: bothArrived } = Promise.withResolvers<void>()
    const crossing = (first: string, second: string) =>
      db.transaction(async (tx) => {
        await add(first).execute(tx)
        if (++arrived === 2) bothArrived()
        await together
        await add(second).execute(tx)
      })
    await Promise.all([crossing('first', 'second'), crossing('second', 'first')])
    for (const name of ['first', 'second'])
      expect(await rowsOf(db, 'settings', ['updated_at'], { name })).toEqual([{ updated_at: 3 }])
    expect(arrived).toBe(3)
  })

  it.runIf(engine === 'sqlite')('reports a full disk, and rolls the transaction back', async () => {
    const small = await open()
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(small.write)
    await sql`pragma max_page_count = ${sql.raw(String((rows[0]?.page_count ?? 0) + 2))}`.execute(small.write)
    const tooMuch = small.transaction(async (tx) => {
      await addSettings(tx, setting('small'))
      await addSettings(tx, setting('large', 'x'.repeat(100_000)))
    })
    await expect(tooMuch).rejects.toMatchObject({ name: 'DatabaseUnavailable', why: 'full' })
    expect(await settingNames(small)).toEqual([])
    await small.transaction((tx) => addSettings(tx, setting('small')))
    expect(await settingNames(small)).toEqual(['small'])
  })

  it.runIf(engine === 'sqlite')('waits for another writer without blocking the process', async () => {
    const place = placeOf(db)
    const other = await openDatabase(place)
    const { promise: locked, resolve: release } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
    const holding = other.transaction(async () => {
      begun()
      await locked
    })
    await hasBegun
    const waiting = db.transaction((tx) => addSettings(tx, setting('waited')))
    // A timer fires while the writer waits, and lets the other writer finish.
    setTimeout(release, 30)
    await Promise.all([holding, waiting])
    expect(await settingNames(db)).toContain('waited')
    await other.close()
    rmSync(join(place.dataDir, 'empty'), { recursive: true, force: true })
  })
})
