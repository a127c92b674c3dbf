/**
 * Case 36: a business of the first version is brought up to date with nothing lost and goes on at once; and going back is
 * restoring the backup that was made before.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { operations, resources } from '../api/catalogue.ts'
import { addDays } from '../domain/plain-date.ts'
import { runBilling } from '../modules/billing/run.ts'
import { balancesOff } from '../modules/ledger/balances.ts'
import { run } from '../operator/commands.ts'
import { type Database, type DatabasePlace, openDatabase, sqliteFile } from '../platform/database/open.ts'
import { PooledPostgresDialect } from '../platform/database/postgres.ts'
import { NodeSqliteDialect, openSqliteFile } from '../platform/database/sqlite.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { perform } from '../platform/operations/operation.ts'
import type { Services } from '../platform/operations/services.ts'
import { columns } from '../platform/schema/migrations/001-first-tables.ts'
import { addedTables } from '../platform/schema/migrations/002-accounts-money-portal.ts'
import { keptColumns } from '../platform/schema/migrations/004-kept-balances.ts'
import { passkeyTables } from '../platform/schema/migrations/012-passkeys.ts'
import { droppedColumns } from '../platform/schema/migrations/014-acknowledged-rules.ts'
import { migrations } from '../platform/schema/migrations/index.ts'
import { addedColumns } from '../platform/schema/migrations/specs.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { anonymous, demoServices, servicesOn, signedInAs } from './demo-services.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from './support/databases.ts'
import { createEmptyPostgresDatabase, dropPostgresDatabase, runPostgresProgram } from './support/postgres.ts'

const first = '001-first-tables'
const firstTables = Object.keys(columns) as (keyof typeof columns)[]

/** Columns that a later version has dropped: whole numbers, of which nothing is expected afterwards. */
const gone: Record<string, Record<string, string>> = droppedColumns

type Rows = Record<string, Record<string, unknown>[]>

/** A connection as the first version's program had it: nothing is brought up to date by opening it. */
const connect = (place: DatabasePlace): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: place.url
      ? new PooledPostgresDialect(place.url, { connections: 2, statementMs: 0 })
      : new NodeSqliteDialect(openSqliteFile(sqliteFile(place.dataDir), { readOnly: false })),
  })

/** Everything that the first version knew of, each table's rows in an order of their own. */
async function rowsOf(db: Kysely<Tables>): Promise<Rows> {
  const all: Rows = {}
  for (const table of firstTables) {
    const rows = (await db
      .selectFrom(table)
      .select(Object.keys(columns[table]).filter((name) => !(name in (gone[table] ?? {}))) as never[])
      .execute()) as Record<string, unknown>[]
    all[table] = rows
      .map((row) => [JSON.stringify(row), row] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
  }
  return all
}

/** Makes the tables as the first version made them, in the place of whatever is there, and writes these rows. */
async function openFirstVersion(place: DatabasePlace, business: Rows): Promise<void> {
  if (!place.url)
    for (const ending of ['', '-wal', '-shm']) rmSync(`${sqliteFile(place.dataDir)}${ending}`, { force: true })
  const db = connect(place)
  try {
    if (place.url) await sql`drop schema public cascade; create schema public`.execute(db)
    await migrateTo(db, first)
    await sql`delete from content_version`.execute(db)
    for (const table of firstTables)
      for (let from = 0; from < (business[table]?.length ?? 0); from += 200)
        await db
          .insertInto(table)
          .values(
            business[table]?.slice(from, from + 200).map((row) => ({
              ...Object.fromEntries(Object.keys(gone[table] ?? {}).map((name) => [name, 0])),
              ...row,
            })) as never,
          )
          .execute()
  } finally {
    await db.destroy()
  }
}

/** Migrates as the version whose newest migration this is. */
async function migrateTo(db: Kysely<Tables>, newest: string): Promise<void> {
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= newest))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest()
  if (error) throw error
}

const applied = async (db: Kysely<Tables>): Promise<string[]> =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

/** The names of all indexes, those of keys included, and of all triggers. */
async function indexesOf(db: Kysely<Tables>, place: DatabasePlace): Promise<string[]> {
  const query = place.url
    ? sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'public'
        union all select tgname from pg_trigger where not tgisinternal order by 1`
    : sql<{ name: string }>`select name from sqlite_schema where type in ('index', 'trigger') order by 1`
  return (await query.execute(db)).rows.map(({ name }) => name)
}

/** What leases owe, by the entries of these rows: 'ATL01 10001' → cents. */
function balancesOf(rows: Rows): Map<string, number> {
  const of = new Map<string, number>()
  const key = (row: Record<string, unknown>) => `${row.location_code} ${row.lease_number}`
  for (const lease of rows.leases ?? []) of.set(key(lease), 0)
  for (const entry of rows.ledger_entries ?? []) of.set(key(entry), (of.get(key(entry)) ?? 0) + Number(entry.cents))
  expect([...of.values()].filter((cents) => cents > 0).length).toBeGreaterThan(3)
  return new Map([...of].sort())
}

/** What leases say that they owe. */
async function balancesIn(db: Database): Promise<Map<string, number>> {
  const leases = await db.read.selectFrom('leases').select(['location_code', 'lease_number', 'balance']).execute()
  return new Map(leases.map((one) => [`${one.location_code} ${one.lease_number}`, one.balance] as const).toSorted())
}

async function answerOf(services: Services, name: string, input: Record<string, unknown>, callers: Callers) {
  const declared = operations.get(name) ?? resources.get(name)
  if (!declared) throw new Error(`There is no ${name}`)
  const outcome = await perform(services, declared, input, callers)
  if (!outcome.ok) throw new Error(`${name}: ${outcome.code} ${JSON.stringify(outcome.fields)}`)
  return outcome.value
}

/** A day at the business, through the doors that its people use; among it what the first version could not do. */
async function aDayOfIt(db: Database): Promise<void> {
  const services = servicesOn(db, temporaryFolder())
  const marcus = await signedInAs(services, 'ATL01', 1001)
  const his = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }
  const login = { location_code: 'ATL01', username: 'marcus.tilley@example.com', password: 'rolling-door-47' }
  expect(await answerOf(services, 'login', login, anonymous())).toMatchObject({ result: 'success' })
  expect(await answerOf(services, 'GetTenantUnitList_V1', his, marcus)).toEqual({
    Unit: expect.arrayContaining([{ UnitNumber: '318', LeaseNumber: 10001 }]),
  })
  expect(await answerOf(services, 'GetCurrentDues', his, marcus)).toMatchObject({ unitNumber: '318' })
  expect(await answerOf(services, 'GetPaymentHistory_V1', his, marcus)).toMatchObject({
    Payment: expect.arrayContaining([expect.objectContaining({ leaseNumber: 10001 })]),
  })
  const reserved = await answerOf(
    services,
    'SaveReservationDetails_WEB',
    { ...operations.get('SaveReservationDetails_WEB')?.example.input },
    anonymous(),
  )
  expect(reserved).toMatchObject({ ErrorMessage: '', reservationCode: expect.stringMatching(/^\w{10}$/) })
  const wish = { ...his, move_out_date: '11/25/2026', vacate_reason_id: 1, custom_note: '' }
  expect(await answerOf(services, 'ScheduleMoveOut', wish, marcus)).toMatchObject({ ErrorMessage: '' })
  const billed = await runBilling(services)
  expect(billed.facilities).toBeGreaterThan(10)
  expect(billed.leases).toBeGreaterThan(10)
  expect(services.reported).toEqual([])
}

const openDemo = demoServices()
/** The demo operator, in the tables and columns that the first version had. */
let business: Rows

beforeAll(async () => {
  const demo = await openDemo()
  business = await rowsOf(demo.db.read as Kysely<Tables>)
  for (const table of ['units', 'accounts', 'tenants', 'leases', 'gate_codes', 'ledger_entries', 'reservations'])
    expect({ table, some: (business[table]?.length ?? 0) > 3 }).toEqual({ table, some: true })
})

describeOnBothEngines('case 36: a database of the first version', (open) => {
  it('is brought up to date with every row as it was, and the site works on it', async () => {
    const fresh = await open()
    const place = placeOf(fresh)
    const newest = await indexesOf(fresh.read as Kysely<Tables>, place)
    await fresh.close()
    await openFirstVersion(place, business)
    const old = connect(place)
    expect(await applied(old)).toEqual([first])
    expect(await rowsOf(old)).toEqual(business)
    // A migration may add no more than an index, which no row shows.
    expect((await indexesOf(old, place)).length).toBeLessThan(newest.length)
    await old.destroy()

    const db = await openDatabase(place)
    try {
      expect(await applied(db.read as Kysely<Tables>)).toEqual(Object.keys(migrations))
      expect(await indexesOf(db.read as Kysely<Tables>, place)).toEqual(newest)
      expect(await rowsOf(db.read as Kysely<Tables>)).toEqual(business)
      // What has come since is there, and says nothing of what was before it.
      // One that is never null has a default, which says nothing either.
      for (const [table, added] of addedColumns.flatMap((one) => Object.entries<Record<string, string>>(one)))
        for (const column of Object.keys(added).filter((name) => added[name]?.endsWith('?'))) {
          const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
            db.read,
          )
          expect({ table, column, rows: rows.length }).toEqual({ table, column, rows: 0 })
        }
      // The kept balance is what the entries of all those years come to.
      expect(Object.entries(keptColumns)).toEqual([['leases', { balance: 'whole' }]])
      expect(await balancesIn(db)).toEqual(balancesOf(business))
      for (const table of Object.keys({ ...addedTables, ...passkeyTables }))
        expect({ table, ...(await sql`select 1 from ${sql.table(table)}`.execute(db.read)) }).toMatchObject({
          table,
          rows: [],
        })
      await aDayOfIt(db)
      expect(await balancesOff(db)).toEqual([])
    } finally {
      await db.close()
    }
  })
})

describeOnBothEngines('case 36: refused autopay tries', (open) => {
  it('stand on the lease after the upgrade, those of the unpaid period alone', async () => {
    const db = await open()
    const place = placeOf(db)
    await db.close()
    await openFirstVersion(place, business)
    const old = connect(place)
    await migrateTo(old, '014-acknowledged-rules')
    const lease = await old
      .selectFrom('leases')
      .select(['location_code', 'lease_number', 'tenant_id', 'paid_through'])
      .where('status', '=', 'Current')
      .executeTakeFirstOrThrow()
    const { paid_through, ...of } = lease
    const unpaid = addDays(paid_through, 1)
    const tries = [
      { autopay_period: addDays(unpaid, -30), autopay_try: 1, state: 'declined' },
      { autopay_period: unpaid, autopay_try: 1, state: 'declined' },
      { autopay_period: unpaid, autopay_try: 2, state: 'cancelled' },
      { autopay_period: unpaid, autopay_try: 3, state: 'declined' },
    ] as const
    await old
      .insertInto('payments')
      .values(
        tries.map((one, at) => ({
          ...of,
          ...one,
          order_id: `REFUSED${at}`,
          payer: 'autopay',
          amount: 100_00,
          autopay: 0,
          method: 'CC',
          plan: '',
          created_at: at,
          updated_at: at,
        })),
      )
      .execute()
    await old.destroy()

    const upgraded = await openDatabase(place)
    const counted = await upgraded.read
      .selectFrom('leases')
      .select(['location_code', 'lease_number', 'tenant_id', 'autopay_refused_period', 'autopay_refusals'])
      .where('autopay_refusals', '>', 0)
      .execute()
    await upgraded.close()
    expect(counted).toEqual([{ ...of, autopay_refused_period: unpaid, autopay_refusals: 2 }])
  })
})

describeOnBothEngines('case 36: going back', (open, engine) => {
  afterEach(() => void vi.restoreAllMocks())

  it('is restoring the backup that was made before the upgrade', async () => {
    const said: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
    const fresh = await open()
    const place = placeOf(fresh)
    await fresh.close()
    await openFirstVersion(place, business)
    const ways = engine === 'sqlite' ? byOperator(place, said) : byPostgres(place)

    // Neither command brings anything up to date, so that either version's may be used.
    const backup = join(temporaryFolder(), 'before-the-upgrade')
    await ways.backUp(backup)
    const untouched = connect(place)
    expect(await applied(untouched)).toEqual([first])
    const indexes = await indexesOf(untouched, place)
    await untouched.destroy()

    const upgraded = await openDatabase(place)
    await aDayOfIt(upgraded)
    const abandoned = await rowsOf(upgraded.read as Kysely<Tables>)
    await upgraded.close()
    // The first version's program does not touch what it does not know.
    const newer = connect(place)
    await expect(migrateTo(newer, first)).rejects.toThrow(/previously executed migration .* is missing/)
    await newer.destroy()

    const { now, before } = await ways.restore(backup)
    const back = connect(now)
    await migrateTo(back, first)
    expect(await applied(back)).toEqual([first])
    expect(await rowsOf(back)).toEqual(business)
    expect(await indexesOf(back, now)).toEqual(indexes)
    await back.destroy()
    // What was done since is lost to the business, and still there to be looked at.
    const left = connect(before)
    expect(await rowsOf(left)).toEqual(abandoned)
    await left.destroy()
    // And forward again, as though nothing had been.
    const again = await openDatabase(now)
    expect(await rowsOf(again.read as Kysely<Tables>)).toEqual(business)
    expect(await balancesIn(again)).toEqual(balancesOf(business))
    await again.close()
    await ways.forget()
  })
})

/** How one goes back: what docs/operations.md says. */
interface WaysBack {
  backUp(file: string): Promise<void>
  /** @returns where the business is then, and where what was there has been kept */
  restore(file: string): Promise<{ now: DatabasePlace; before: DatabasePlace }>
  forget(): Promise<void>
}

function byOperator(place: DatabasePlace, said: string[]): WaysBack {
  const operator = (...words: string[]) => run(words, { DATA_DIR: place.dataDir, CLOCK: '2026-11-20T17:00:00Z' })
  return {
    backUp: async (file) => expect(await operator('backup', file)).toBe(0),
    async restore(file) {
      expect(await operator('restore', file)).toBe(0)
      const kept = /^Restored\. What was there is (.+)\.$/m.exec(said.slice(-2).join('\n'))?.[1] ?? ''
      const beside = temporaryFolder()
      for (const ending of ['', '-wal'])
        if (existsSync(kept + ending)) copyFileSync(kept + ending, sqliteFile(beside) + ending)
      return { now: place, before: { dataDir: beside } }
    },
    forget: async () => {},
  }
}

/** By PostgreSQL's own programs, and into an empty database: newer tables refer to older ones, which cannot be replaced then. */
function byPostgres(place: DatabasePlace): WaysBack {
  const name = `latchkey_back_${process.pid}`
  return {
    backUp: async (file) => runPostgresProgram('pg_dump', ['--format=custom', `--file=${file}`, place.url ?? '']),
    async restore(file) {
      const url = await createEmptyPostgresDatabase(name)
      runPostgresProgram('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${url}`, file])
      return { now: { ...place, url }, before: place }
    },
    forget: () => dropPostgresDatabase(name),
  }
}
