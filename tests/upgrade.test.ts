/**
 * Tests that an invented next release upgrades this release's database without losing a row, that operations work on the
 * upgraded database, and that the backup made before can be restored.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { operations, resources } from '../api/catalogue.ts'
import { runBilling } from '../modules/billing/run-billing.ts'
import { findBalanceMismatches } from '../modules/ledger/load-and-repair-lease-balance.ts'
import { run } from '../operator/commands.ts'
import { copyAll } from '../platform/database/copy-all-rows.ts'
import { type Database, type DatabasePlace, openDatabase, sqliteFile } from '../platform/database/open.ts'
import { PooledPostgresDialect } from '../platform/database/postgres.ts'
import { NodeSqliteDialect, openSqliteFile } from '../platform/database/sqlite.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { perform } from '../platform/operations/operation.ts'
import type { Services } from '../platform/operations/services.ts'
import type { TableChange } from '../platform/schema/migrations/create-table.ts'
import { migrations } from '../platform/schema/migrations/index.ts'
import { applyContractMigrations, migrateToLatest } from '../platform/schema/migrations/migrate.ts'
import { type Tables, tables } from '../platform/schema/tables.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from './support/databases.ts'
import { createEmptyPostgresDatabase, dropPostgresDatabase, runPostgresProgram } from './support/postgres.ts'
import { anonymous, demoServices, servicesOn, signedInAs } from './support/seeded-demo-operator.ts'

const ownMigrationNames = Object.keys(migrations)

/**
 * Migrations of this release and of an invented next one, which adds a table and two columns. One of the columns
 * replaces `tenants.zip`, which a contract migration drops.
 */
const next: Record<string, TableChange> = {
  ...migrations,
  '998-next': {
    kind: 'expand',
    async up(db: Kysely<unknown>) {
      await sql`create table next_visits (visit_id text primary key)`.execute(db)
      await sql`alter table tenants add column postal_code text`.execute(db)
      await sql`update tenants set postal_code = zip`.execute(db)
      await sql`alter table leases add column next_visit text`.execute(db)
    },
    indexes: [{ name: 'tenants_by_postal_code', table: 'tenants', columns: 'postal_code, location_code' }],
  },
  '999-next-only': {
    kind: 'contract',
    up: async (db: Kysely<unknown>) => void (await sql`alter table tenants drop column zip`.execute(db)),
  },
}

type Rows = Record<string, Record<string, unknown>[]>

/** Opens a connection that runs no migrations. */
const connect = (place: DatabasePlace): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: place.url
      ? new PooledPostgresDialect(place.url, { connections: 2, statementMs: 0 })
      : new NodeSqliteDialect(openSqliteFile(sqliteFile(place.dataDir), { readOnly: false })),
  })

async function withConnection<T>(place: DatabasePlace, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const db = connect(place)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Returns all rows of this release's tables, by table, in a stable order.
 * @param without columns to leave out, such as 'tenants.zip'
 */
async function loadRows(db: Kysely<Tables>, without: string[] = []): Promise<Rows> {
  const all: Rows = {}
  for (const [table, { columns }] of Object.entries(tables)) {
    const names = Object.keys(columns).filter((column) => !without.includes(`${table}.${column}`))
    const rows = (await db
      .selectFrom(table as keyof Tables)
      .select(names as never[])
      .execute()) as Record<string, unknown>[]
    all[table] = rows
      .map((row) => [JSON.stringify(row), row] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
  }
  return all
}

/** Returns the rows without the audit events of commands, and without chores and restore marks. */
const withoutCommandRecords = (rows: Rows): Rows => ({
  ...rows,
  audit_events: (rows.audit_events ?? []).filter(({ kind }) => kind !== 'command.run'),
  chores: [],
  restore_marks: [],
})

const loadMigrationNames = async (db: Kysely<Tables>): Promise<string[]> =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

/** Returns the names of all indexes, including those of keys, and of all triggers. */
async function loadIndexes(db: Kysely<Tables>, place: DatabasePlace): Promise<string[]> {
  const query = place.url
    ? sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'public'
        union all select tgname from pg_trigger where not tgisinternal order by 1`
    : sql<{ name: string }>`select name from sqlite_schema where type in ('index', 'trigger') order by 1`
  return (await query.execute(db)).rows.map(({ name }) => name)
}

/** Sums the ledger entries by lease: 'ATL01 10001' → cents. Expects more than three leases to owe money. */
function balancesOf(rows: Rows): Map<string, number> {
  const balances = new Map<string, number>()
  const key = (row: Record<string, unknown>) => `${row.location_code} ${row.lease_number}`
  for (const lease of rows.leases ?? []) balances.set(key(lease), 0)
  for (const entry of rows.ledger_entries ?? [])
    balances.set(key(entry), (balances.get(key(entry)) ?? 0) + Number(entry.cents))
  expect([...balances.values()].filter((cents) => cents > 0).length).toBeGreaterThan(3)
  return new Map([...balances].sort())
}

/** Returns the balances stored with the leases. */
async function loadBalances(db: Database): Promise<Map<string, number>> {
  const leases = await db.read.selectFrom('leases').select(['location_code', 'lease_number', 'balance']).execute()
  return new Map(
    leases.map((lease) => [`${lease.location_code} ${lease.lease_number}`, lease.balance] as const).toSorted(),
  )
}

async function callOperation(services: Services, name: string, input: Record<string, unknown>, callers: Callers) {
  const declared = operations.get(name) ?? resources.get(name)
  if (!declared) throw new Error(`There is no ${name}`)
  const outcome = await perform(services, declared, input, callers)
  if (!outcome.ok) throw new Error(`${name}: ${outcome.code} ${JSON.stringify(outcome.fields)}`)
  return outcome.value
}

/** Calls operations of the API as a tenant and a visitor, and bills the day. */
async function runBusinessDay(db: Database): Promise<void> {
  const services = servicesOn(db, temporaryFolder())
  const marcus = await signedInAs(services, 'ATL01', 1001)
  const lease = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }
  const login = { location_code: 'ATL01', username: 'marcus.tilley@example.com', password: 'rolling-door-47' }
  expect(await callOperation(services, 'login', login, anonymous())).toMatchObject({ result: 'success' })
  expect(await callOperation(services, 'GetTenantUnitList_V1', lease, marcus)).toEqual({
    Unit: expect.arrayContaining([{ UnitNumber: '318', LeaseNumber: 10001 }]),
  })
  expect(await callOperation(services, 'GetCurrentDues', lease, marcus)).toMatchObject({ unitNumber: '318' })
  expect(await callOperation(services, 'GetPaymentHistory_V1', lease, marcus)).toMatchObject({
    Payment: expect.arrayContaining([expect.objectContaining({ leaseNumber: 10001 })]),
  })
  const reserved = await callOperation(
    services,
    'SaveReservationDetails_WEB',
    { ...operations.get('SaveReservationDetails_WEB')?.example.input },
    anonymous(),
  )
  expect(reserved).toMatchObject({ ErrorMessage: '', reservationCode: expect.stringMatching(/^\w{10}$/) })
  const moveOut = { ...lease, move_out_date: '11/25/2026', vacate_reason_id: 1, custom_note: '' }
  expect(await callOperation(services, 'ScheduleMoveOut', moveOut, marcus)).toMatchObject({ ErrorMessage: '' })
  const billed = await runBilling(services)
  expect(billed.facilities).toBeGreaterThan(10)
  expect(billed.leases).toBeGreaterThan(10)
  expect(services.reported).toEqual([])
}

const openDemo = demoServices()
/** Rows of the demo operator. */
let business: Rows
let demo: Database

beforeAll(async () => {
  demo = (await openDemo()).db
  business = await loadRows(demo.read)
  for (const table of ['units', 'accounts', 'tenants', 'leases', 'gate_codes', 'ledger_entries', 'reservations'])
    expect({ table, some: (business[table]?.length ?? 0) > 3 }).toEqual({ table, some: true })
})

/** Copies the business into a fresh database of this release, and closes it. */
async function copyBusinessInto(fresh: Database): Promise<DatabasePlace> {
  await copyAll(demo, fresh)
  await fresh.close()
  return placeOf(fresh)
}

describeOnBothEngines('a database of this release', (open) => {
  it('is migrated without changing a row, and the site works on it', async () => {
    const place = await copyBusinessInto(await open())
    const before = await withConnection(place, async (old) => {
      expect(await loadMigrationNames(old)).toEqual(ownMigrationNames)
      expect(await loadRows(old)).toEqual(business)
      return loadIndexes(old, place)
    })

    await withConnection(place, (db) => migrateToLatest(db, { ownMigrations: next }))
    const db = await openDatabase(place)
    try {
      expect(await loadMigrationNames(db.read)).toEqual([...ownMigrationNames, '998-next'])
      expect(await loadIndexes(db.read, place)).toEqual(expect.arrayContaining([...before, 'tenants_by_postal_code']))
      expect(await loadRows(db.read)).toEqual(business)
      // The new table and the column next_visit are empty; postal_code is a copy of zip.
      for (const text of ['select 1 from leases where next_visit is not null', 'select 1 from next_visits'])
        expect((await sql.raw(text).execute(db.read)).rows).toEqual([])
      const copied = await sql<{ n: number }>`select count(*) as n from tenants where postal_code = zip`.execute(
        db.read,
      )
      expect(copied.rows[0]?.n).toBe(business.tenants?.length)
      // Each lease's stored balance equals the sum of its ledger entries.
      expect(await loadBalances(db)).toEqual(balancesOf(business))
      await runBusinessDay(db)
      expect(await findBalanceMismatches(db)).toEqual([])
    } finally {
      await db.close()
    }
  })

  it('loses only what the contract migration removes, and then refuses this release', async () => {
    const place = await copyBusinessInto(await open())
    await withConnection(place, async (db) => {
      await applyContractMigrations(db, { ownMigrations: next })
      expect(await loadMigrationNames(db)).toEqual(Object.keys(next))
      const { database_readers: readers, ...rows } = await loadRows(db, ['tenants.zip'])
      expect(readers).toEqual([{ oldest_reader: '999-next-only' }])
      const { database_readers: none, tenants: people, ...others } = business
      expect(none).toEqual([])
      const { tenants: left, ...rest } = rows
      expect(rest).toEqual(others)
      expect(left).toHaveLength(people?.length ?? 0)
      const codes = await sql<{ postal_code: string }>`select postal_code from tenants`.execute(db)
      expect(codes.rows.map((row) => row.postal_code).sort()).toEqual(people?.map(({ zip }) => zip).sort())
    })
    await expect(openDatabase(place)).rejects.toThrow('newer version')
  })
})

describeOnBothEngines('going back', (open, engine) => {
  afterEach(() => void vi.restoreAllMocks())

  it('restores the backup from before the upgrade', { timeout: 60_000 }, async () => {
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    const place = await copyBusinessInto(await open())
    const backups = engine === 'sqlite' ? byOperator(place, lines) : byPostgres(place)

    const indexes = await withConnection(place, (db) => loadIndexes(db, place))
    const backup = join(temporaryFolder(), 'before-the-upgrade')
    await backups.backUp(backup)
    expect(withoutCommandRecords(await withConnection(place, (db) => loadRows(db)))).toEqual(
      withoutCommandRecords(business),
    )
    expect(await withConnection(place, loadMigrationNames)).toEqual(ownMigrationNames)

    await withConnection(place, (db) => migrateToLatest(db, { ownMigrations: next }))
    const upgraded = await openDatabase(place)
    await runBusinessDay(upgraded)
    await upgraded.close()
    const abandoned = await withConnection(place, async (db) => {
      await applyContractMigrations(db, { ownMigrations: next })
      return loadRows(db, ['tenants.zip'])
    })
    // This release's program refuses a database that it can no longer read.
    await expect(openDatabase(place)).rejects.toThrow('newer version')

    const { now, before } = await backups.restore(backup)
    await withConnection(now, async (back) => {
      expect(await loadMigrationNames(back)).toEqual(ownMigrationNames)
      expect(withoutCommandRecords(await loadRows(back))).toEqual(withoutCommandRecords(business))
      expect(await loadIndexes(back, now)).toEqual(indexes)
    })
    // Later changes are lost to the business, but kept for inspection.
    expect(await withConnection(before, (db) => loadRows(db, ['tenants.zip']))).toEqual(abandoned)
    // The restored database can be upgraded again.
    await withConnection(now, (db) => migrateToLatest(db, { ownMigrations: next }))
    const again = await openDatabase(now)
    expect(withoutCommandRecords(await loadRows(again.read))).toEqual(withoutCommandRecords(business))
    expect(await loadBalances(again)).toEqual(balancesOf(business))
    await again.close()
    await backups.cleanUp()
  })
})

/** Backing up and restoring a database, as docs/operations.md describes it for an engine. */
interface BackupMethods {
  backUp(file: string): Promise<void>
  /**
   * Restores a backup.
   * @returns `now`: place of the restored business; `before`: place of the data that it replaced
   */
  restore(file: string): Promise<{ now: DatabasePlace; before: DatabasePlace }>
  cleanUp(): Promise<void>
}

function byOperator(place: DatabasePlace, lines: string[]): BackupMethods {
  const operator = (...words: string[]) => run(words, { DATA_DIR: place.dataDir, CLOCK: '2026-11-20T17:00:00Z' })
  return {
    backUp: async (file) => expect(await operator('backup', file)).toBe(0),
    async restore(file) {
      expect(await operator('restore', file)).toBe(0)
      const replaced = /^Restored\. What was there is (.+)\.$/m.exec(lines.slice(-2).join('\n'))?.[1] ?? ''
      const beside = temporaryFolder()
      for (const ending of ['', '-wal'])
        if (existsSync(replaced + ending)) copyFileSync(replaced + ending, sqliteFile(beside) + ending)
      return { now: place, before: { dataDir: beside } }
    },
    cleanUp: async () => {},
  }
}

/** Backs up and restores by PostgreSQL's programs. Restores into another, empty database, so that the old one is kept. */
function byPostgres(place: DatabasePlace): BackupMethods {
  const name = `latchkey_back_${process.pid}`
  return {
    backUp: async (file) => runPostgresProgram('pg_dump', ['--format=custom', `--file=${file}`, place.url ?? '']),
    async restore(file) {
      const url = await createEmptyPostgresDatabase(name)
      runPostgresProgram('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${url}`, file])
      return { now: { ...place, url }, before: place }
    },
    cleanUp: () => dropPostgresDatabase(name),
  }
}
