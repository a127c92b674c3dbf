/**
 * Brings an operator's business in from files. First everything is checked and every bad row named; only where nothing is
 * wrong is anything written, in one transaction, so that the switch is its commit.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { bumpContentVersion } from '../database/content-version.ts'
import { numbersTaken } from '../database/counters.ts'
import type { Database, Transaction } from '../database/open.ts'
import type { Tables } from '../database/tables.ts'
import { leaseStatus } from '../domain/billing.ts'
import { todayIn } from '../domain/dates.ts'
import { messages } from '../domain/messages.ts'
import { emailKey, nameKey } from '../domain/phone.ts'
import { balanceOf } from '../storage-system/ledger.ts'
import type { House } from '../storage-system/operation.ts'
import type { ChosenFee } from './columns.ts'
import { type FileName, type ImportTable, importTables, slugOf, type Values } from './import-tables.ts'
import { findFile, type Problem, readRows, type Tell } from './read-rows.ts'

export type { Problem } from './read-rows.ts'

/** So many problems are named; all are counted. */
export const MOST_PROBLEMS = 200
const ROWS_PER_STATEMENT = 500
/** SQLite takes 32,766 values in a statement. */
const VALUES_PER_STATEMENT = 15_000

export interface ImportCount {
  file: string
  rows: number
  /** Rows that were new or changed something; 0 in a dry run. */
  written: number
}

export type Imported =
  | { ok: true; counts: ImportCount[] }
  /** Nothing was written. `problems`: the first of them. */
  | { ok: false; problems: Problem[]; total: number }

/** After each of these a test ends the import. */
export type ImportPoint = FileName | 'all written'

/**
 * Imports the CSV or JSON files of a folder (docs/sample-operator/README.md lists them). Doing it twice changes nothing:
 * what an operator sets is brought up to date; a lease or an opening balance that is there already stays as the business
 * has left it since.
 * @param progress told of each file as it is checked and as it is written
 * @throws DatabaseUnavailable
 */
export async function importFolder(
  house: Pick<House, 'db' | 'clock' | 'random'>,
  folder: string,
  {
    dryRun = false,
    progress = () => {},
    crash = () => {},
  }: {
    dryRun?: boolean
    progress?: (line: string) => void
    crash?: (point: ImportPoint) => void
  } = {},
): Promise<Imported> {
  const files = importTables.flatMap((table) => {
    const file = findFile(folder, table.file)
    return file === null ? [] : [{ table, file }]
  })
  if (files.length === 0) {
    const says = `has none of the files of an import: ${importTables.map((table) => `${table.file}.csv`).join(', ')}`
    return { ok: false, problems: [{ file: folder, line: 1, column: '', says }], total: 1 }
  }

  const problems: Problem[] = []
  let total = 0
  const tell: Tell = (problem) => {
    total += 1
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  const known = await knownKeys(house.db)
  const incomplete = new Set<FileName>()
  const counts: ImportCount[] = []
  for (const { table, file } of files) {
    const rows = await checkFile(folder, table, file, known, incomplete, tell)
    counts.push({ file, rows, written: 0 })
    progress(`${file}: ${rows} rows checked`)
  }
  if (total > 0) return { ok: false, problems, total }
  if (dryRun) return { ok: true, counts }

  // All of it came in at one moment.
  const now = house.clock.now()
  const desk: Desk = { clock: { now: () => now }, random: house.random }
  await house.db.transaction(async (tx) => {
    for (const [index, { table, file }] of files.entries()) {
      const count = counts[index]!
      count.written = 0
      const write = await writerOf(tx, desk, table)
      for await (const rows of chunks(folder, table, file)) {
        count.written += await write(rows)
        // The work in process never yields by itself.
        await yieldToOthers()
      }
      crash(table.file)
      progress(`${file}: ${count.rows} rows, ${count.written} of them new or changed`)
    }
    await followBalances(tx, desk)
    await spareTheMilitary(tx, desk)
    await countOn(tx)
    await bumpContentVersion(tx)
    crash('all written')
  })
  return { ok: true, counts }
}

// ── Checking ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** By file and name of the key: each value and whose it is. */
type Known = Map<string, Map<string, string>>

const knownOf = (known: Known, file: FileName, key: string): Map<string, string> => {
  const id = `${file} ${key}`
  const map = known.get(id) ?? new Map<string, string>()
  known.set(id, map)
  return map
}

/** What the business holds already: rows may refer to it, and must not clash with it. */
async function knownKeys(db: Database): Promise<Known> {
  const known: Known = new Map()
  for (const table of importTables) {
    if (table.file === 'balances') continue
    const rows = (await db.read
      .selectFrom(table.table)
      .select([...table.conflict, ...(table.known ?? [])] as never)
      .execute()) as Values[]
    for (const row of rows) {
      const values = 'status' in row ? { ...row, closed_on: row.status === 'Closed' ? 'closed' : null } : row
      for (const key of table.keys) addKey(known, table, key, values)
    }
  }
  return known
}

/** @returns whether the key was free, or its owner's own already */
function addKey(known: Known, table: ImportTable, key: ImportTable['keys'][0], values: Values): boolean {
  const value = key.of(values)
  if (value === '') return true
  const owner = (key.owner ?? table.keys[0].of)(values)
  const map = knownOf(known, table.file, key.name)
  const before = map.get(value)
  if (before !== undefined && before !== owner) return false
  // One string for a row's own key, not two.
  map.set(value, owner === value ? value : owner)
  return true
}

const headerOf = (table: ImportTable) =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [name, { mustBeThere: !('blank' in column) }]),
  )

/** The values of a row; a wrong cell is told and left out. */
function valuesOf(
  table: ImportTable,
  file: string,
  line: number,
  cells: Record<string, string>,
  tell: Tell,
): { values: Values; good: boolean } {
  const values: Values = {}
  let good = true
  for (const [name, column] of Object.entries(table.columns)) {
    const cell = cells[name] ?? ''
    if (cell === '') {
      if ('blank' in column) values[name] = column.blank
      else {
        tell({ file, line, column: name, says: `is blank; it should be ${column.shape}` })
        good = false
      }
      continue
    }
    const value = column.read(cell)
    if (value === undefined) {
      tell({ file, line, column: name, says: `should be ${column.shape}, not '${shown(cell)}'` })
      good = false
    } else values[name] = value
  }
  return { values, good }
}

const shown = (cell: string) => (cell.length > 60 ? `${cell.slice(0, 57)}…` : cell)

/** @param incomplete files of which not every row could be read: nothing is held against rows that refer to them */
async function checkFile(
  folder: string,
  table: ImportTable,
  file: string,
  known: Known,
  incomplete: Set<FileName>,
  tell: Tell,
): Promise<number> {
  const [rowKey, ...otherKeys] = table.keys
  const seen = new Set<string>()
  const unread: Tell = (problem) => {
    incomplete.add(table.file)
    tell(problem)
  }
  const there = new Set(table.file === 'leases' ? knownOf(known, 'leases', 'row').keys() : [])
  let count = 0
  for await (const { line, cells } of readRows(folder, file, headerOf(table), unread)) {
    count += 1
    const { values, good } = valuesOf(table, file, line, cells, tell)
    if (!good) {
      // What names this row is not wrong as well.
      for (const key of table.keys) if (!key.of(values).includes('undefined')) addKey(known, table, key, values)
      continue
    }
    const wrong = (column: string, says: string) => tell({ file, line, column, says })
    const own = rowKey.of(values)
    if (seen.has(own)) {
      wrong(rowKey.column, `'${shown(cells[rowKey.column] ?? '')}' is in this file twice`)
      continue
    }
    seen.add(own)
    for (const reference of table.references) {
      const others = knownOf(known, reference.to, reference.key)
      // A facility that is not known is said once, not for everything in it as well.
      if (incomplete.has(reference.to)) continue
      if (reference.of(values).some((value) => !others.has(value))) {
        wrong(reference.column, `there is no ${reference.what} ${shown(cells[reference.column] ?? '')}`)
        if (reference.column === 'location_code') break
      }
    }
    // A lease that is there already is left alone, whoever has its unit by now.
    if (there.has(own)) continue
    addKey(known, table, rowKey, values)
    for (const key of otherKeys) {
      if (!addKey(known, table, key, values))
        wrong(key.column, `'${shown(cells[key.column] ?? '')}' is taken: ${key.name} belongs to one only`)
    }
    if (table.file === 'settings' && values.name === 'brand' && !isObject(String(values.value)))
      wrong('value', 'should be a JSON object for brand')
    if (table.file === 'leases' && String(values.paid_through) < dayBefore(String(values.move_in_date)))
      wrong('paid_through', 'is before the move-in')
  }
  return count
}

const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)

function isObject(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value)
    return parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)
  } catch {
    return false
  }
}

// ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────

async function* chunks(folder: string, table: ImportTable, file: string): AsyncGenerator<Values[]> {
  const changed: Tell = ({ line, says }) => {
    throw new Error(`${file} has changed since it was checked (line ${line} ${says})`)
  }
  let chunk: Values[] = []
  const most = Math.min(ROWS_PER_STATEMENT, Math.floor(VALUES_PER_STATEMENT / (Object.keys(table.columns).length + 25)))
  for await (const { line, cells } of readRows(folder, file, headerOf(table), changed)) {
    chunk.push(valuesOf(table, file, line, cells, changed).values)
    if (chunk.length === most) {
      yield chunk
      chunk = []
    }
  }
  if (chunk.length > 0) yield chunk
}

type Desk = Pick<House, 'clock' | 'random'>
type Writer = (rows: Values[]) => Promise<number>

async function writerOf(tx: Transaction<Tables>, house: Desk, table: ImportTable): Promise<Writer> {
  const now = house.clock.now()
  switch (table.file) {
    case 'leases':
      return leaseWriter(tx, house)
    case 'balances':
      return balanceWriter(tx, house)
    case 'settings':
      return (rows) =>
        upsert(
          tx,
          table,
          rows.map((row) => ({ ...row, updated_at: now })),
          ['updated_at'],
        )
    case 'facilities':
      return (rows) =>
        upsert(
          tx,
          table,
          rows.map((row) => ({ ...row, slug: slugOf(String(row.address)), city_slug: slugOf(String(row.city)) })),
        )
    case 'units':
      return (rows) =>
        upsert(
          tx,
          table,
          rows.map((row) => ({ ...row, held_by: null, held_until: null })),
          ['held_by', 'held_until'],
        )
    case 'tenants':
      return (rows) =>
        upsert(
          tx,
          table,
          rows.map((row) => ({
            ...row,
            last_key: nameKey(String(row.last)),
            email_key: emailKey(String(row.email)),
            account_id: null,
            identity_sealed: null,
            grant_online_access: 0,
            created_at: now,
          })),
          ['account_id', 'identity_sealed', 'grant_online_access', 'created_at'],
        )
    default:
      return (rows) => upsert(tx, table, rows)
  }
}

/** @param once columns that are set for a new row and left alone in one that is there */
async function upsert(
  tx: Transaction<Tables>,
  table: ImportTable,
  rows: Values[],
  once: string[] = [],
): Promise<number> {
  const columns = Object.keys(rows[0]!).filter((column) => !table.conflict.includes(column) && !once.includes(column))
  const name = table.table
  // A unit that is held or rented stays so.
  const incoming = (column: string) =>
    name === 'units' && column === 'status'
      ? sql`case when units.status in ('held', 'rented') then units.status else excluded.status end`
      : sql.ref(`excluded.${column}`)
  const result = await tx
    .insertInto(name)
    .values(rows as never)
    .onConflict((clash) =>
      clash
        .columns(table.conflict as never)
        .doUpdateSet({
          ...Object.fromEntries(columns.map((column) => [column, incoming(column)])),
          ...(name === 'settings' && { updated_at: sql`excluded.updated_at` }),
        } as never)
        .where(
          sql<boolean>`${sql.join(
            columns.map((column) => sql`${sql.ref(`${name}.${column}`)} is distinct from ${incoming(column)}`),
            sql` or `,
          )}`,
        ),
    )
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

const at = (...parts: unknown[]) => parts.join('\u001f')

async function leaseWriter(tx: Transaction<Tables>, house: Desk): Promise<Writer> {
  const now = house.clock.now()
  const fees = new Map(
    (await tx.selectFrom('fees').selectAll().execute()).map((fee) => [at(fee.location_code, fee.fee_id), fee]),
  )
  const days = await todays(tx, house)
  return async (rows) => {
    const units = new Map<string, { unit_id: number; unit_type_id: number }>()
    for (const [location_code, some] of Map.groupBy(rows, (row) => String(row.location_code))) {
      const found = await tx
        .selectFrom('units')
        .select(['unit_id', 'unit_number', 'unit_type_id'])
        .where('location_code', '=', location_code)
        .where(
          'unit_number',
          'in',
          some.map((row) => String(row.unit_number)),
        )
        .execute()
      for (const unit of found) units.set(at(location_code, unit.unit_number), unit)
    }
    const leases = rows.map((row) => {
      const unit = units.get(at(row.location_code, row.unit_number))
      if (!unit) throw new Error(`Unit ${row.unit_number} of ${row.location_code} has another number since this import`)
      const { recurring_fees: _, signed_on, imported_from, ...lease } = row
      const today = days.get(String(row.location_code))!
      const status = leaseStatus(
        { auctionPrepped: row.auction_prepped === 1, balance: 0, paidThrough: String(row.paid_through) },
        today,
      )
      return {
        ...lease,
        unit_id: unit.unit_id,
        unit_type_id: unit.unit_type_id,
        reservation_code: null,
        status: row.closed_on === null ? status : 'Closed',
        insurance_status: row.insurance_status ?? (row.insurance_scheme_id === 0 ? 0 : 1),
        autopay: 0,
        autopay_method: '',
        autopay_sealed: null,
        autopay_label: '',
        autopay_consent_at: null,
        scheduled_move_out: null,
        move_out_reason: null,
        terms_accepted_at: null,
        autopay_consent_text: null,
        overlocked: null,
        imported: JSON.stringify({ from: imported_from, on: today, signed_on: signed_on ?? row.move_in_date }),
        document_id: null,
        order_id: null,
        created_at: now,
      }
    })
    const fresh = await tx
      .insertInto('leases')
      .values(leases as never)
      .onConflict((clash) => clash.columns(['location_code', 'lease_number']).doNothing())
      .returning(['location_code', 'lease_number', 'unit_id', 'closed_on'])
      .execute()
    const isFresh = new Set(fresh.map((lease) => at(lease.location_code, lease.lease_number)))
    const ours = rows.filter((row) => isFresh.has(at(row.location_code, row.lease_number)))

    const chosen = ours.flatMap((row) =>
      (row.recurring_fees as ChosenFee[]).map(({ feeId, amount }) => {
        const fee = fees.get(at(row.location_code, feeId))!
        return {
          location_code: String(row.location_code),
          lease_number: Number(row.lease_number),
          fee_id: feeId,
          description: fee.description,
          amount: amount ?? fee.amount,
        }
      }),
    )
    if (chosen.length > 0) await tx.insertInto('lease_fees').values(chosen).execute()
    const allHours = new Set(
      chosen
        .filter((fee) => fee.description === messages.fee24HourAccess)
        .map((fee) => at(fee.location_code, fee.lease_number)),
    )

    const open = fresh.filter((lease) => lease.closed_on === null)
    for (const [location_code, some] of Map.groupBy(open, (lease) => lease.location_code)) {
      await tx
        .updateTable('units')
        .set({ status: 'rented', held_by: null, held_until: null })
        .where('location_code', '=', location_code)
        .where(
          'unit_id',
          'in',
          some.map((lease) => lease.unit_id),
        )
        .execute()
    }
    // A tenant's leases share a code: at all hours where one of them pays for that.
    const codes = new Map<string, Tables['gate_codes']>()
    for (const row of ours.filter((lease) => lease.closed_on === null && lease.gate_code !== '')) {
      const id = at(row.location_code, row.gate_code)
      const always = allHours.has(at(row.location_code, row.lease_number))
      codes.set(id, {
        location_code: String(row.location_code),
        gate_code: String(row.gate_code),
        tenant_id: Number(row.tenant_id),
        lease_number: codes.get(id)?.lease_number ?? Number(row.lease_number),
        time_zone_name: always ? '24-hour' : (codes.get(id)?.time_zone_name ?? 'standard'),
        active: 1,
        created_at: now,
      })
    }
    if (codes.size > 0) {
      const added = await tx
        .insertInto('gate_codes')
        .values([...codes.values()])
        // Another lease of the tenant has brought it in before.
        .onConflict((clash) => clash.doNothing())
        .returning(['location_code', 'gate_code'])
        .execute()
      const isNew = new Set(added.map((code) => at(code.location_code, code.gate_code)))
      for (const [id, code] of codes) {
        if (isNew.has(id) || code.time_zone_name === 'standard') continue
        await tx
          .updateTable('gate_codes')
          .set({ time_zone_name: code.time_zone_name })
          .where('location_code', '=', code.location_code)
          .where('gate_code', '=', code.gate_code)
          .where('active', '=', 1)
          .execute()
      }
    }
    return fresh.length
  }
}

const openingBalance = 'imported:balance'

async function balanceWriter(tx: Transaction<Tables>, house: Desk): Promise<Writer> {
  const now = house.clock.now()
  const days = await todays(tx, house)
  return async (rows) => {
    const entries = rows
      .filter((row) => row.amount !== 0)
      .map((row) => ({
        entry_id: house.random.uuid(),
        location_code: String(row.location_code),
        lease_number: Number(row.lease_number),
        kind: Number(row.amount) < 0 ? ('credit' as const) : ('fee' as const),
        cents: Number(row.amount),
        description: 'Opening balance',
        once: openingBalance,
        order_id: null,
        period_start: null,
        period_end: null,
        posted_on: String(row.posted_on ?? days.get(String(row.location_code))),
        created_at: now,
      }))
    if (entries.length === 0) return 0
    const added = await tx
      .insertInto('ledger_entries')
      .values(entries)
      .onConflict((clash) => clash.columns(['location_code', 'lease_number', 'once']).doNothing())
      .returning('entry_id')
      .execute()
    return added.length
  }
}

/** What day it is at each facility. */
async function todays(tx: Transaction<Tables>, house: Desk): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('locations').select(['location_code', 'time_zone']).execute()
  return new Map(rows.map((row) => [row.location_code, todayIn(row.time_zone, house.clock.now())]))
}

/** Leases whose opening balance came in with this import follow it. */
async function followBalances(tx: Transaction<Tables>, house: Desk): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ status: 'Past Due' })
    .where('status', 'in', ['Current', 'Pre-Paid'])
    .where('imported', 'is not', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('ledger_entries')
          .select('entry_id')
          .whereRef('ledger_entries.location_code', '=', 'leases.location_code')
          .whereRef('ledger_entries.lease_number', '=', 'leases.lease_number')
          .where('once', '=', openingBalance)
          .where('ledger_entries.created_at', '=', house.clock.now()),
      ),
    )
    .where(
      (eb) =>
        eb
          .selectFrom('ledger_entries')
          .select((inner) => inner.fn.coalesce(inner.fn.sum<number>('cents'), sql<number>`0`).as('owed'))
          .whereRef('ledger_entries.location_code', '=', 'leases.location_code')
          .whereRef('ledger_entries.lease_number', '=', 'leases.lease_number'),
      '>',
      0,
    )
    .execute()
}

/**
 * Whoever is on active military duty is never led towards an auction, whatever the files say (case 35): a court decides
 * about their belongings. Also where the lease was here before and its tenant's duty comes with this import.
 */
async function spareTheMilitary(tx: Transaction<Tables>, house: Desk): Promise<void> {
  const days = await todays(tx, house)
  const most = 1000
  for (;;) {
    const leases = await tx
      .selectFrom('leases')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.location_code', '=', 'leases.location_code')
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
      )
      .select(['leases.location_code', 'lease_number', 'leases.status', 'paid_through'])
      .where('active_military', '=', 1)
      .where('auction_prepped', '=', 1)
      .limit(most)
      .execute()
    for (const lease of leases) {
      const balance = await balanceOf(tx, lease.location_code, lease.lease_number)
      const today = days.get(lease.location_code)!
      const status = leaseStatus({ auctionPrepped: false, balance, paidThrough: lease.paid_through }, today)
      await tx
        .updateTable('leases')
        .set({ auction_prepped: 0, ...(lease.status !== 'Closed' && { status }) })
        .where('location_code', '=', lease.location_code)
        .where('lease_number', '=', lease.lease_number)
        .where('auction_prepped', '=', 1)
        .execute()
    }
    if (leases.length < most) return
  }
}

/** New tenants and leases are numbered after those that were brought in. */
async function countOn(tx: Transaction<Tables>): Promise<void> {
  const tenants = await tx
    .selectFrom('tenants')
    .select(['location_code', (eb) => eb.fn.max('tenant_id').as('most')])
    .groupBy('location_code')
    .execute()
  const leases = await tx
    .selectFrom('leases')
    .select(['location_code', (eb) => eb.fn.max('lease_number').as('most')])
    .groupBy('location_code')
    .execute()
  for (const row of tenants) await numbersTaken(tx, row.location_code, 'tenant', Number(row.most))
  for (const row of leases) await numbersTaken(tx, row.location_code, 'lease', Number(row.most))
}

/** 'units.csv line 4, unit_type_id: there is no unit type 9' */
export const sentenceOf = ({ file, line, column, says }: Problem): string =>
  `${file} ${file.endsWith('.json') ? 'entry' : 'line'} ${line}${column === '' ? '' : `, ${column}`}: ${says}`
