/**
 * Creates the benchmark's facilities of 600 units in a SQLite database, with rows copied from the demo operator's, and
 * copies them to PostgreSQL.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { sql } from 'kysely'
import { nameKey } from '../domain/name-and-email-keys.ts'
import { addDays } from '../domain/plain-date.ts'
import { copyAll } from '../platform/database/copy-all-rows.ts'
import { type Database, openDatabase, sqliteFile } from '../platform/database/open.ts'

export const UNITS_PER_FACILITY = 600
const farFuture = Date.now() + 3650 * 86_400_000
/** First day of the newest period in the ledgers of benchmark facilities where nothing is due. */
const lastPaid = '2026-11-01'

export interface FacilityGroup {
  facilities: number
  /** Number of free units of each facility. All units that are neither free nor reserved are let. */
  free: number
  /** Number of reserved units of each facility. */
  reserved?: number
  /**
   * Whether each lease owes the rent of a period that began yesterday, and its tenant is logged in; otherwise no lease
   * owes anything, and only tenant 1 is logged in.
   */
  due?: boolean
}

export const codeOf = (facility: number) => `L${String(facility).padStart(5, '0')}`
export const tokenOf = (facility: number, tenant = 1) =>
  createHash('sha256').update(`bench ${facility} ${tenant}`).digest('hex')
/** Returns the uuid that the benchmark gives to a facility's prospect, auction winner and settlement link. */
export const uuidOf = (facility: number) => `6f1d2a80-4c1b-4e0e-9d57-${String(facility).padStart(12, '0')}`
export const lastNameOf = (tenant: number) => `Bench${tenant % 200}`
export const phoneOf = (facility: number, tenant: number) =>
  String(3_000_000_000 + facility * UNITS_PER_FACILITY + tenant)
export const emailOf = (facility: number, tenant: number) =>
  `tenant.${codeOf(facility).toLowerCase()}-${tenant}@example.com`

type Row = Record<string, SQLInputValue>

/**
 * Adds benchmark facilities to a seeded SQLite database, numbered from 1, in the order of the given groups. Does
 * nothing if all exist.
 * @throws Error if the database has benchmark facilities, but not as many as the groups
 */
export function addBenchFacilities(dataDir: string, groups: FacilityGroup[]): void {
  const db = new DatabaseSync(sqliteFile(dataDir), { timeout: 5000 })
  try {
    db.exec(
      'pragma foreign_keys = off; pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory',
    )
    const { count } = db.prepare("select count(*) as count from locations where location_code like 'L_____'").get() as {
      count: number
    }
    const expected = groups.reduce((sum, { facilities }) => sum + facilities, 0)
    if (count === expected) return
    if (count !== 0) throw new Error(`${dataDir} holds ${count} facilities of the bench, not ${expected}`)
    const write = createFacilityWriter(db)
    let facility = 0
    for (const group of groups)
      for (let count = 0; count < group.facilities; count++) {
        db.exec('begin')
        write(++facility, group)
        db.exec('commit')
      }
    // These days count as billed, so that a site that starts on this database is idle.
    const billed = db.prepare(
      `insert or ignore into billing_runs (location_code, run_date, done_through, leases, entries, state, started_at, finished_at)
       select location_code, ?, 0, 0, 0, 'done', 0, 0 from locations`,
    )
    const today = new Date().toISOString().slice(0, 10)
    for (const days of [-1, 0, 1]) billed.run(addDays(today, days))
    db.exec('pragma wal_checkpoint(truncate)')
  } finally {
    db.close()
  }
}

/** Copies all rows of the SQLite database in `dataDir` to an empty PostgreSQL database. */
export async function copyToPostgres(dataDir: string, url: string): Promise<void> {
  const to = await openDatabase({ dataDir, url, settings: { statementMs: 0 } })
  const from = await openDatabase({ dataDir })
  await copyAll(from, to)
  // PostgreSQL's vacuum and checkpoint after so many writes must not disturb the next measurement.
  for (const maintenance of ['vacuum analyze', 'checkpoint']) await sql.raw(maintenance).execute(to.write)
  await Promise.all([from.close(), to.close()])
}

/** Reads the database file once, so that the operating system has it in its cache, as on a running site. */
export async function warmUp(dataDir: string): Promise<void> {
  for await (const _ of createReadStream(sqliteFile(dataDir), { highWaterMark: 1 << 20 }));
}

/** Returns a function that inserts the rows of a benchmark facility, given its number. */
function createFacilityWriter(db: DatabaseSync): (facility: number, group: FacilityGroup) => void {
  const rowsOf = (table: string, where: string, ...values: SQLInputValue[]) =>
    db.prepare(`select * from ${table} where ${where}`).all(...values) as Row[]
  const patternRow = (table: string, where: string): Row => {
    const [row] = rowsOf(table, `${where} limit 1`)
    if (!row) throw new Error(`The demo has no such row of ${table}: ${where}`)
    return row
  }
  const statements = new Map<string, (row: Row) => void>()
  const insert = (table: string, template: Row, changes: Row) => {
    let run = statements.get(table)
    if (!run) {
      const names = Object.keys(template)
      const columns = names.map((name) => `"${name}"`).join(', ')
      const statement = db.prepare(`insert into ${table} (${columns}) values (${names.map(() => '?').join(', ')})`)
      run = (row) => void statement.run(...names.map((name) => row[name] as SQLInputValue))
      statements.set(table, run)
    }
    run({ ...template, ...changes })
  }
  const source = patternRow('locations', 'sboa = 1 and cc_fee = 1 and coming_soon = 0 and facility_id <> 1')
  const copiedTables = [
    'location_contents',
    'unit_types',
    'discounts',
    'insurance_schemes',
    'fees',
    'map_fixtures',
  ].map((table) => ({ table, rows: rowsOf(table, 'location_code = ?', source.location_code as string) }))
  const types = copiedTables.find(({ table }) => table === 'unit_types')?.rows.map((row) => row.unit_type_id) ?? []
  const template = {
    unit: patternRow('units', "status = 'free'"),
    account: patternRow('accounts', '1 = 1'),
    tenant: patternRow('tenants', 'account_id is not null'),
    lease: patternRow('leases', "status = 'Current' and autopay = 0"),
    code: patternRow('gate_codes', 'active = 1'),
    entry: patternRow('ledger_entries', "kind = 'rent'"),
    reservation: patternRow('reservations', "status = 'active'"),
    prospect: patternRow('prospects', '1 = 1'),
    winner: patternRow('auction_winners', '1 = 1'),
    settlement: patternRow('settlements', '1 = 1'),
  }
  const signIn: Row = {
    token_hash: '',
    kind: 'tenant',
    account_id: '',
    location_code: null,
    tenant_id: null,
    agent: 'bench',
    address: '127.0.0.1',
    created_at: 0,
    expires_at: farFuture,
    ended_at: null,
  }
  const yesterday = addDays(new Date().toISOString().slice(0, 10), -1)
  /** Returns the first days of 12 consecutive 30-day periods, newest first. */
  const starts = (newest: string) => Array.from({ length: 12 }, (_, back) => addDays(newest, -30 * back))
  const paidStarts = starts(lastPaid)
  const dueStarts = starts(yesterday)

  return (facility, { free, reserved = 0, due = false }) => {
    const location_code = codeOf(facility)
    const street = `${facility} Bench Road`
    const writeEntries = (lease_number: number, first: boolean) => {
      const key = `${location_code}-${lease_number}`
      const periods = due ? dueStarts.slice(0, 5) : paidStarts.slice(0, first ? 12 : 1)
      for (const [index, start] of periods.entries())
        for (const [kind, cents] of due && index === 0 ? [['rent', 11_200] as const] : paidPeriod)
          insert('ledger_entries', template.entry, {
            entry_id: `${key}:${start}:${kind}`,
            location_code,
            lease_number,
            kind,
            cents,
            order_id: null,
            once: `period:${start}:${kind}`,
            posted_on: start,
            period_start: start,
            period_end: addDays(start, 29),
          })
    }
    const writeTenant = (tenantId: number, isLet: boolean) => {
      const email = emailOf(facility, tenantId)
      const account_id = isLet ? `${location_code}-${tenantId}` : null
      if (account_id) insert('accounts', template.account, { account_id, username: email, email, created_at: 0 })
      insert('tenants', template.tenant, {
        location_code,
        tenant_id: tenantId,
        account_id,
        email,
        email_key: email,
        identity_sealed: null,
        last: lastNameOf(tenantId),
        last_key: nameKey(lastNameOf(tenantId)),
        grant_online_access: isLet ? 1 : 0,
        cell_phone: phoneOf(facility, tenantId),
        home_phone: '',
        work_phone: '',
      })
      if (account_id && (due || tenantId === 1)) {
        const token_hash = createHash('sha256').update(tokenOf(facility, tenantId)).digest('hex')
        insert('sign_ins', signIn, { token_hash, account_id })
      }
    }
    insert('locations', source, {
      location_code,
      facility_id: 20_000 + facility,
      name: `Bench ${location_code}`,
      slug: `${facility}-bench-road`,
      address: street,
      city: 'Cheyenne',
      city_slug: 'cheyenne',
      state: 'WY',
      zip: '82001',
      lat: 41 + (facility % 100) / 50,
      lng: -105 + Math.floor(facility / 100) / 50,
      time_zone: 'America/Denver',
      facility_map_enabled: 1,
    })
    for (const { table, rows } of copiedTables) for (const row of rows) insert(table, row, { location_code })
    for (let index = 1; index <= UNITS_PER_FACILITY; index++) {
      const isLet = index <= UNITS_PER_FACILITY - free - reserved
      const isHeld = index > UNITS_PER_FACILITY - reserved
      const key = `${location_code}-${index}`
      const unit = {
        location_code,
        unit_id: index,
        unit_number: `U${index}`,
        unit_type_id: types[index % types.length] as number,
      }
      insert('units', template.unit, {
        ...unit,
        status: isLet ? 'rented' : isHeld ? 'held' : 'free',
        held_by: isHeld ? key : null,
        held_until: isHeld ? farFuture : null,
        floor_no: 1,
        left_coordinate: (index % 40) * 10,
        top_coordinate: Math.floor(index / 40) * 12,
      })
      if (!isLet && !isHeld) continue
      writeTenant(index, isLet)
      if (isHeld) {
        insert('reservations', template.reservation, {
          ...unit,
          reservation_code: key,
          tenant_id: index,
          status: 'active',
          hold_until: farFuture,
          lease_number: null,
        })
        if (index === UNITS_PER_FACILITY)
          insert('prospects', template.prospect, {
            uuid: uuidOf(facility),
            res_code: key,
            location_code,
            tenant_id: index,
          })
        continue
      }
      const gate_code = String(100_000 + index)
      insert('leases', template.lease, {
        ...unit,
        lease_number: index,
        tenant_id: index,
        reservation_code: null,
        document_id: null,
        order_id: null,
        paid_through: due ? addDays(yesterday, -1) : '2046-01-01',
        gate_code,
        terms_required: 0,
        scheduled_move_out: null,
      })
      insert('gate_codes', template.code, { location_code, gate_code, tenant_id: index, lease_number: index })
      writeEntries(index, index === 1)
    }
    // The auction winner and the settlement link need the leases 2 and 3.
    if (free + reserved > UNITS_PER_FACILITY - 3) return
    const link = { uuid: uuidOf(facility), location_code, state: 'open', order_id: null, paid_at: null }
    insert('auction_winners', template.winner, { ...link, auction_winner_id: 1_000_000 + facility, lease_number: 2 })
    insert('settlements', template.settlement, { ...link, tenant_id: 3, lease_number: 3 })
  }
}

const paidPeriod = [
  ['rent', 11_200],
  ['payment', -11_200],
] as const

/** Returns the path of a demo facility's page. */
export async function demoPage(db: Database): Promise<string> {
  const row = await db.read
    .selectFrom('locations')
    .select(['state', 'city_slug', 'slug'])
    .where('state', '=', 'GA')
    .where('facility_id', '!=', 1)
    .orderBy('location_code')
    .executeTakeFirstOrThrow()
  return `/storage-units/${row.state.toLowerCase()}/${row.city_slug}/${row.slug}`
}

/** Returns one unit of each type at a facility of the benchmark. */
export async function unitOfEachType(db: Database, facility: number): Promise<{ type: number; unit: number }[]> {
  const rows = await db.read
    .selectFrom('units')
    .select(['unit_type_id', (eb) => eb.fn.min<number>('unit_id').as('unit')])
    .where('location_code', '=', codeOf(facility))
    .groupBy('unit_type_id')
    .orderBy('unit_type_id')
    .execute()
  return rows.map(({ unit_type_id: type, unit }) => ({ type, unit: Number(unit) }))
}
