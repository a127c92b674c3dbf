/**
 * Brings an operator's business in from files. First every row is checked and laid ready beside the business, and every bad
 * one named; only where nothing is wrong does anything come in, in one transaction, so that the switch is its commit.
 */
import { tmpdir } from 'node:os'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { leaseStatus } from '../domain/billing.ts'
import { brandProblem } from '../domain/brand.ts'
import { AUCTION } from '../domain/business.ts'
import { PERIOD_DAYS } from '../domain/charges.ts'
import { todayIn } from '../domain/dates.ts'
import { emailKey, nameKey } from '../domain/phone.ts'
import { addDays } from '../domain/plain-date.ts'
import { stateName } from '../domain/states.ts'
import { fee24HourAccess } from '../domain/texts/move-in.ts'
import { AWAITING_INSPECTION } from '../modules/facilities/availability.ts'
import { balanceOf } from '../modules/leases/ledger/balances.ts'
import { releaseHolds } from '../modules/reservations/holds.ts'
import { bumpContentVersion } from '../platform/database/content-version.ts'
import { numbersTaken } from '../platform/database/numbering.ts'
import { type Database, isUniqueViolation, type Transaction } from '../platform/database/open.ts'
import { rowMaker } from '../platform/database/sqlite.ts'
import type { Services } from '../platform/operations/services.ts'
import type { Tables } from '../platform/schema/tables.ts'
import type { ChosenFee, Column } from './columns.ts'
import { keySeparator, Staging, type TakenKeys } from './import/staging.ts'
import {
  type FileName,
  type ImportTable,
  importTables,
  type Key,
  type Reference,
  slugOf,
  type Values,
} from './import-tables.ts'
import { filesOf, type Problem, readRows, type Tell } from './read-rows.ts'

export type { Problem } from './read-rows.ts'

/** So many problems are named; all are counted. */
export const MOST_PROBLEMS = 200
const KNOWN_ROWS_AT_A_TIME = 10_000

export interface ImportCount {
  file: string
  rows: number
  /** Rows that were new or changed something; 0 in a dry run. */
  written: number
}

export type Imported =
  /** `unclear`: leases paid through a day that is past, with a balance that names no period; see `Check.unclear`. */
  | { ok: true; counts: ImportCount[]; unclear: number }
  /** Nothing was written. `problems`: the first of them. */
  | { ok: false; problems: Problem[]; total: number }

/** What the import has come to: all is checked, a file's rows are in, everything is in and not yet committed. */
export type ImportPoint = 'all checked' | FileName | 'all written'

/**
 * Imports the CSV or JSON files of a folder (docs/sample-operator/README.md lists them). Doing it twice changes nothing:
 * what an operator sets is brought up to date; a lease or an opening balance that is there already stays as the business
 * has left it since.
 * @param options.scratch a folder with room for what the files hold, while the import lasts
 * @param options.progress told how far it has come, every so many rows
 * @param options.reached told at each point; a test ends the import there
 * @throws DatabaseUnavailable; Error where the business has changed under the import, of which nothing is then left
 */
export async function importFolder(
  services: Pick<Services, 'db' | 'clock' | 'random'>,
  folder: string,
  {
    dryRun = false,
    scratch = tmpdir(),
    progress = () => {},
    reached = () => {},
  }: {
    dryRun?: boolean
    scratch?: string
    progress?: (line: string) => void
    reached?: (point: ImportPoint) => void | Promise<void>
  } = {},
): Promise<Imported> {
  const problems: Problem[] = []
  let total = 0
  const tell: Tell = (problem) => {
    total += 1
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  const files: { table: ImportTable; file: string }[] = []
  for (const table of importTables) {
    const [file, other] = filesOf(folder, table.file)
    if (file === undefined) continue
    // Which of the two is meant, the newer or the one that was exported, only their owner knows.
    if (other !== undefined)
      tell({ file, line: 1, column: '', says: `stands beside ${other}; remove the one that does not count` })
    else files.push({ table, file })
  }
  if (files.length === 0 && total === 0) {
    const says = `has none of the files of an import: ${importTables.map((table) => `${table.file}.csv`).join(', ')}`
    tell({ file: folder, line: 1, column: '', says })
  }
  if (total > 0) return { ok: false, problems, total }

  // All of it comes in at one moment.
  const now = services.clock.now()
  const desk: LinkParts = { clock: { now: () => now }, random: services.random }
  const counts: ImportCount[] = []
  const staging = new Staging(scratch)
  try {
    const check = new Check(desk, staging, tell)
    await check.know(services.db, progress)
    for (const { table, file } of files)
      counts.push({ file, rows: await check.file(folder, table, file, progress), written: 0 })
    if (total > 0) return { ok: false, problems, total }
    check.settle()
    await reached('all checked')
    if (dryRun) return { ok: true, counts, unclear: check.unclear }
    await staging.within(services.db, () =>
      services.db.transaction(async (tx) => {
        for (const [index, { table, file }] of files.entries()) {
          const come = () =>
            letIn(tx, services.db, staging, table, now, (rows) =>
              progress(`${file}: ${rows} of ${counts[index]!.rows} rows coming in`),
            )
          const written = table.file === 'tenants' ? staging.indexingAfter(services.db, tx, 'tenants', come) : come()
          counts[index]!.written = await written
          await reached(table.file)
        }
        progress('settling leases, units and gate codes')
        await settleLeases(tx, services.db, desk, staging, check.letBefore)
        await clearMilitaryAuctionFlags(tx, desk)
        await countOn(tx, staging, check.numbered)
        await nameStates(tx)
        await bumpContentVersion(tx)
        await reached('all written')
      }),
    )
    return { ok: true, counts, unclear: check.unclear }
  } catch (error) {
    // Somebody rented a unit or took a number between the check and the switch.
    if (isUniqueViolation(error) || error instanceof ChangedSince)
      throw new Error(
        'The business has changed since the files were checked, and nothing was imported. Import again.',
        {
          cause: error,
        },
      )
    throw error
  } finally {
    staging.close()
  }
}

type LinkParts = Pick<Services, 'clock' | 'random'>

/** What the rows were checked against is no longer so, and they would come in wrong. */
class ChangedSince extends Error {}

// ── Checking ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whose a row's own key is: it came with this import, with a bad row of it, or was there before. */
const here = 'here'
const bad = 'bad'
const there = 'there'

/** A value that many rows name one after the other (their facility, their unit type) is looked up once. */
const REMEMBERED = 5000

/** What a row is held against, gathered once for its file. */
interface Rules {
  rows: TakenKeys
  others: { key: Key; taken: TakenKeys; ownerOf: (values: Values) => string }[]
  references: { reference: Reference; taken: TakenKeys; last: string; found: Set<string> | null }[]
}

class Check {
  readonly #desk: LinkParts
  readonly #staging: Staging
  readonly #tell: Tell
  readonly #keys = new Map<string, TakenKeys>()
  readonly #rules = new Map<FileName, Rules>()
  /** Files of which not every row could be read: nothing is held against rows that refer to them. */
  readonly #incomplete = new Set<FileName>()
  /** What day it is at each facility. */
  readonly #days = new Map<string, string>()
  /** Fees that open the gate at all hours, as they will be. */
  readonly #allHours = new Set<string>()
  /** Open leases that were paid through a day that is past, and those of them with a balance of no period, and of one. */
  readonly #behind: TakenKeys
  readonly #lump: TakenKeys
  readonly #named: TakenKeys
  /**
   * How many leases bring a balance that may or may not contain the periods that have begun since they were paid through.
   * Billing charges those, so that a balance which contains them would have them charged twice.
   */
  unclear = 0
  /** By facility, the number that the next tenant would have had before anything was checked. */
  readonly numbered = new Map<string, number>()
  /** Facilities that had leases before. */
  readonly letBefore = new Set<string>()
  /** Nothing will come in: rows are checked further, but no longer laid ready. */
  #wrong = false

  constructor(desk: LinkParts, staging: Staging, tell: Tell) {
    this.#desk = desk
    this.#staging = staging
    this.#tell = (problem) => {
      this.#wrong = true
      tell(problem)
    }
    this.#behind = staging.keys()
    this.#lump = staging.keys()
    this.#named = staging.keys()
    for (const table of importTables)
      for (const key of table.keys) this.#keys.set(`${table.file} ${key.name}`, staging.keys())
    for (const table of importTables) {
      const [rowKey, ...others] = table.keys
      this.#rules.set(table.file, {
        rows: this.#key(table.file, rowKey.name),
        others: others.map((key) => ({
          key,
          taken: this.#key(table.file, key.name),
          ownerOf: key.owner ?? rowKey.of,
        })),
        references: table.references.map((reference) => ({
          reference,
          taken: this.#key(reference.to, reference.key),
          last: '',
          found: reference.shared ? new Set() : null,
        })),
      })
    }
  }

  #key(file: FileName, name: string): TakenKeys {
    return this.#keys.get(`${file} ${name}`)!
  }

  /** What the business holds already: rows may refer to it, and must not clash with it. */
  async know(db: Database, progress: (line: string) => void): Promise<void> {
    for (const { location_code, next } of await tenantNumbers(db.read)) this.numbered.set(location_code, next)
    for (const table of importTables) {
      if (table.file === 'balances') continue
      const columns = [...table.conflict, ...(table.known ?? [])]
      const { rows: own, others } = this.#rules.get(table.file)!
      let count = 0
      for (let last: Values | undefined; ; ) {
        const rows = await rowsAfter(db, table, columns, last)
        for (const row of rows) {
          const values = 'status' in row ? { ...row, closed_on: row.status === 'Closed' ? 'closed' : null } : row
          own.take(table.keys[0].of(values), there)
          for (const other of others) isFree(other, values)
          if (table.file === 'facilities') this.#isAt(String(row.location_code), String(row.time_zone))
          if (table.file === 'fees') this.#opens(row)
          if (table.file === 'leases') this.letBefore.add(String(row.location_code))
        }
        count += rows.length
        last = rows.at(-1)
        if (rows.length < KNOWN_ROWS_AT_A_TIME) break
        progress(`${count} of the business's own ${table.file} looked through`)
        await yieldToOthers()
      }
    }
  }

  #isAt(location: string, timeZone: string): void {
    this.#days.set(Buffer.from(location).toString(), todayIn(timeZone, this.#desk.clock.now()))
  }

  /** A fee of that name lets its payers in at all hours, and one that has another name by now does not. */
  #opens(fee: Values): void {
    const named = feeOf(fee.location_code, fee.fee_id)
    if (fee.description === fee24HourAccess) this.#allHours.add(named)
    else this.#allHours.delete(named)
  }

  #isThere(to: Rules['references'][number], value: string): boolean {
    if (value === '' || value === to.last || to.found?.has(value)) return true
    if (!to.taken.isTaken(value)) return false
    to.last = value
    if (to.found !== null) {
      if (to.found.size >= REMEMBERED) to.found.clear()
      // A copy: what was cut out of the file's text holds that text in memory.
      to.found.add(Buffer.from(value).toString())
    }
    return true
  }

  /** Checks the rows of a file and lays them ready. @returns how many there are */
  async file(folder: string, table: ImportTable, file: string, progress: (line: string) => void): Promise<number> {
    const unread: Tell = (problem) => {
      this.#incomplete.add(table.file)
      this.#tell(problem)
    }
    const names = Object.keys(table.columns)
    const columns = Object.values(table.columns)
    const toValues = rowMaker(names)
    const rules = this.#rules.get(table.file)!
    this.#staging.prepare(table.table, stagedColumns(table))
    if (table.file === 'leases') {
      this.#staging.prepare('lease_fees', leaseFeeColumns)
      this.#staging.prepare('gate_codes', gateCodeColumns)
    }
    let count = 0
    for await (const rows of readRows(folder, file, headerOf(table), unread)) {
      for (const { line, cells } of rows) {
        let good = true
        const read: unknown[] = []
        for (let at = 0; at < columns.length; at += 1) {
          const column = columns[at] as Column
          const cell = cells[at] as string
          if (cell === '' && 'blank' in column) read.push(column.blank)
          else {
            const value = cell === '' ? undefined : column.read(cell)
            read.push(value)
            if (value !== undefined) continue
            good = false
            const says =
              cell === '' ? `is blank; it should be ${column.shape}` : `should be ${column.shape}, not '${shown(cell)}'`
            this.#tell({ file, line, column: names[at] as string, says })
          }
        }
        const values = toValues(read)
        if (!good) this.#badRow(table, rules, values)
        else if (this.#row(table, rules, file, line, (column) => shown(cells[names.indexOf(column)] ?? ''), values))
          this.#stage(table, read, values)
      }
      count += rows.length
      progress(`${file}: ${count} rows checked`)
    }
    return count
  }

  /** What names the row is not wrong as well. */
  #badRow(table: ImportTable, { rows, others }: Rules, values: Values): void {
    const own = table.keys[0].of(values)
    if (!own.includes('undefined')) rows.take(own, bad)
    for (const other of others) if (!other.key.of(values).includes('undefined')) isFree(other, values)
  }

  /** @returns whether the row is to come in: it is right, and no lease that is there already */
  #row(
    table: ImportTable,
    { rows, others, references }: Rules,
    file: string,
    line: number,
    cellOf: (column: string) => string,
    values: Values,
  ): boolean {
    let right = true
    const wrong = (column: string, says: string) => {
      right = false
      this.#tell({ file, line, column, says })
    }
    const rowKey = table.keys[0]
    const own = rowKey.of(values)
    let wasThere = false
    if (!rows.take(own, here)) {
      const before = rows.ownerOf(own)
      if (before === here) {
        wrong(rowKey.column, `'${cellOf(rowKey.column)}' is in this file twice`)
        return false
      }
      wasThere = before === there
      rows.handOver(own, here)
    }
    for (const to of references) {
      const { reference } = to
      // A facility that is not known is said once, not for everything in it as well.
      if (this.#incomplete.has(reference.to)) continue
      const named = reference.of(values)
      const known =
        typeof named === 'string' ? this.#isThere(to, named) : named.every((value) => this.#isThere(to, value))
      if (known) continue
      wrong(reference.column, `there is no ${reference.what} ${cellOf(reference.column)}`)
      if (reference.column === 'location_code') break
    }
    // A lease that is there already is left alone, whoever has its unit by now.
    if (wasThere && table.file === 'leases') return false
    for (const other of others) {
      const { key } = other
      if (!isFree(other, values)) wrong(key.column, `'${cellOf(key.column)}' is taken: ${key.name} belongs to one only`)
    }
    if (table.file === 'settings' && values.name === 'brand') {
      const problem = brandProblem(String(values.value))
      if (problem !== null) wrong('value', problem.replace(/\.$/, ''))
    }
    // Whoever chooses it is charged for it each period; charged to everybody as well, they would pay it twice.
    if (table.file === 'fees' && values.description === fee24HourAccess && values.charged !== 'on_choice')
      wrong('charged', `of the ${fee24HourAccess} should be on_choice, not '${cellOf('charged')}'`)
    if (table.file === 'leases' && isBeforeEve(String(values.paid_through), String(values.move_in_date)))
      wrong('paid_through', 'is before the move-in')
    if (table.file === 'balances' && values.period_start !== null && Number(values.amount) < 0)
      wrong('amount', 'is a credit, which belongs to no period')
    return right
  }

  /** Lays a row ready in the shape of the table that it goes to. @param read its values in the order of the columns */
  #stage(table: ImportTable, read: unknown[], values: Values): void {
    if (table.file === 'facilities') this.#isAt(String(values.location_code), String(values.time_zone))
    if (this.#wrong) return
    const today = this.#days.get(String(values.location_code)) ?? ''
    switch (table.file) {
      case 'facilities':
        read.push(slugOf(String(values.address)), slugOf(String(values.city)))
        break
      case 'tenants':
        read.push(nameKey(String(values.last)), emailKey(String(values.email)))
        break
      case 'fees':
        this.#opens(values)
        break
      case 'leases': {
        const { location_code: location, lease_number: lease, gate_code: code } = values
        const fees = values.recurring_fees as ChosenFee[]
        for (const { feeId, amount } of fees) this.#staging.add('lease_fees', [location, lease, feeId, amount])
        if (values.closed_on === null && code !== '') {
          const allHours = fees.some(({ feeId }) => this.#allHours.has(feeOf(location, feeId)))
          this.#staging.add('gate_codes', [location, code, values.tenant_id, lease, allHours ? '24-hour' : 'standard'])
        }
        if (values.closed_on === null && String(values.paid_through) < today) this.#behind.take(leaseOf(values), here)
        read = leaseRow(values, today)
        break
      }
      case 'balances':
        // No opening balance is no entry.
        if (values.amount === 0) return
        if (Number(values.amount) > 0) this.#countUnclear(values)
        read = balanceRow(this.#desk.random.uuid(), values, today)
        break
    }
    this.#staging.add(table.table, read)
  }

  #countUnclear(values: Values): void {
    const lease = leaseOf(values)
    if (!this.#behind.isTaken(lease)) return
    if (values.period_start === null) {
      this.#lump.take(lease, here)
      if (!this.#named.isTaken(lease)) this.unclear += 1
    } else if (this.#named.take(lease, here) && this.#lump.isTaken(lease)) this.unclear -= 1
  }

  /** Rows come in as what they will be, which spares the switch finding it out and writing them twice. */
  settle(): void {
    const leased = this.#key('leases', 'open lease of the unit')
    const rented = { column: 'status', from: ['free', 'off'], to: 'rented' }
    this.#staging.mark('units', rented, leased, ['location_code', 'unit_number'])
    const late = { column: 'status', from: ['Current', 'Pre-Paid'], to: 'Past Due' }
    const lease = ['location_code', 'lease_number']
    // A lease has several entries, of which some may be credits.
    this.#staging.mark('leases', late, this.#staging.keysOver('ledger_entries', lease, 'cents'), lease)
    // A tenant's leases share a code: at all hours, which is the lesser word, where one of them pays for that.
    this.#staging.merge('gate_codes', ['location_code', 'gate_code'])
  }
}

/** Takes a key that is not the row's own. @returns whether it was free, or its owner's already */
function isFree({ key, taken, ownerOf }: Rules['others'][number], values: Values): boolean {
  const value = key.of(values)
  if (value === '') return true
  const owner = ownerOf(values)
  return taken.take(value, owner) || taken.ownerOf(value) === owner
}

const leaseOf = (values: Values) => `${values.location_code}${keySeparator}${values.lease_number}`
const feeOf = (location: unknown, fee: unknown) => `${location}${keySeparator}${fee}`

const gateCodeColumns = ['location_code', 'gate_code', 'tenant_id', 'lease_number', 'time_zone_name']
const leaseFeeColumns = ['location_code', 'lease_number', 'fee_id', 'amount']
/** Columns of a lease that hold what the file says. */
const leaseColumns = [
  ...['location_code', 'lease_number', 'tenant_id', 'unit_number', 'move_in_date', 'paid_through', 'rent'],
  ...['insurance_scheme_id', 'insurance_premium', 'insurance_notes', 'discount_id', 'gate_code', 'combo_code'],
  ...['auction_prepped', 'terms_required', 'closed_on', 'scheduled_move_out', 'details'],
]

/** The columns of a file's rows as they are laid ready; those that are the same for every row come in with `sameForAll`. */
function stagedColumns(table: ImportTable): string[] {
  const names = Object.keys(table.columns)
  switch (table.file) {
    case 'facilities':
      return [...names, 'slug', 'city_slug']
    case 'tenants':
      return [...names, 'last_key', 'email_key']
    case 'leases':
      return [...leaseColumns, 'status', 'insurance_status', 'imported', 'move_out_reason']
    case 'balances':
      return [
        ...['entry_id', 'location_code', 'lease_number', 'kind', 'cents', 'posted_on'],
        ...['once', 'period_start', 'period_end'],
      ]
    default:
      return names
  }
}

/** What every row has that comes in, whatever the file says of it. */
function sameForAll(file: FileName, now: number): Readonly<Record<string, string | number | null>> {
  switch (file) {
    case 'settings':
      return { updated_at: now }
    case 'units':
      return { held_by: null, held_until: null }
    case 'tenants':
      return { account_id: null, identity_sealed: null, grant_online_access: 0, created_at: now }
    case 'leases':
      return {
        reservation_code: null,
        autopay: 0,
        autopay_method: '',
        autopay_sealed: null,
        autopay_label: '',
        autopay_consent_at: null,
        terms_accepted_at: null,
        autopay_consent_text: null,
        overlocked: null,
        document_id: null,
        order_id: null,
        created_at: now,
      }
    case 'balances':
      return {
        description: openingDescription,
        order_id: null,
        created_at: now,
      }
    default:
      return {}
  }
}

/** The next rows of the business by the table's own key. */
async function rowsAfter(
  db: Database,
  table: ImportTable,
  columns: string[],
  last: Values | undefined,
): Promise<Values[]> {
  const keys = table.conflict.map((column) => sql.ref(column))
  let query = db.read.selectFrom(table.table).select(columns as never)
  if (last)
    query = query.where(
      sql<boolean>`(${sql.join(keys)}) > (${sql.join(table.conflict.map((column) => sql.val(last[column])))})`,
    )
  return (await query.orderBy(sql.join(keys)).limit(KNOWN_ROWS_AT_A_TIME).execute()) as Values[]
}

/** The unit itself and what it is are known by its number when the lease comes in. */
function leaseRow(values: Values, today: string): unknown[] {
  const row: unknown[] = []
  for (const column of leaseColumns) row.push(values[column])
  const status = leaseStatus(
    { auctionPrepped: values.auction_prepped === 1, balance: 0, paidThrough: String(values.paid_through) },
    today,
  )
  row.push(
    values.closed_on === null ? status : 'Closed',
    values.insurance_status ?? (values.insurance_scheme_id === 0 ? 0 : 1),
    JSON.stringify({ from: values.imported_from, on: today, signed_on: values.signed_on ?? values.move_in_date }),
    values.scheduled_move_out === null ? null : AUCTION.vacateReasonId,
  )
  return row
}

/** Of a period that is owed already, billing must know that it was charged: it is rent of those days to the ledger. */
function balanceRow(id: string, values: Values, today: string): unknown[] {
  const start = values.period_start as string | null
  const kind = start !== null ? 'rent' : Number(values.amount) < 0 ? 'credit' : 'fee'
  const once = start === null ? openingBalance : `${openingBalance}:${start}`
  const end = start === null ? null : addDays(start, PERIOD_DAYS - 1)
  return [
    ...[id, values.location_code, values.lease_number, kind, values.amount, values.posted_on ?? start ?? today],
    ...[once, start, end],
  ]
}

const headerOf = (table: ImportTable) =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [name, { mustBeThere: !('blank' in column) }]),
  )

const shown = (cell: string) => (cell.length > 60 ? `${cell.slice(0, 57)}…` : cell)

/** Whether a day lies before the one that precedes `date`. */
const isBeforeEve = (day: string, date: string): boolean => day < date && day < addDays(date, -1)

// ── Letting in ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Columns that are set for a new row and left alone in one that is there. */
const onceOnly: Partial<Record<FileName, readonly string[]>> = {
  settings: ['updated_at'],
  units: ['held_by', 'held_until'],
  tenants: ['account_id', 'identity_sealed', 'grant_online_access', 'created_at'],
}

const openingBalance = 'imported:balance'
const openingDescription = 'Opening balance'

/** Lets the rows of a file in. @returns how many were new or changed something */
async function letIn(
  tx: Transaction<Tables>,
  db: Database,
  staging: Staging,
  table: ImportTable,
  now: number,
  progress: (rows: number) => void,
): Promise<number> {
  let written = 0
  const staged = staging.columnsOf(table.table)
  const same = Object.entries(sameForAll(table.file, now))
  const columns = [...staged, ...same.map(([name]) => name)]
  const selected = sql.join([
    ...staged.map((column) => sql.ref(`s.${column}`)),
    ...same.map(([, value]) => sql.lit(value)),
  ])
  for (const { chunk, upTo } of staging.chunks(db, table.table)) {
    const statement =
      table.file === 'leases'
        ? insertLeases(columns, selected, chunk)
        : table.file === 'balances'
          ? // The ledger of a lease in service says what it owes: an opening balance on top would be owed twice.
            sql`insert into ledger_entries (${listed(columns)}) select ${selected} from ${chunk} as s
              where not exists (select 1 from ledger_entries as there where there.location_code = s.location_code
                and there.lease_number = s.lease_number
                and not (there.created_at = cast(${now} as bigint) and there.description = ${openingDescription}))
              on conflict (location_code, lease_number, once) do nothing`
          : upsert(table, columns, selected, chunk)
    written += Number((await statement.execute(tx)).numAffectedRows ?? 0)
    progress(upTo)
    // The work in process never yields by itself.
    await yieldToOthers()
  }
  if (table.file === 'leases')
    for (const { chunk } of staging.chunks(db, 'lease_fees')) {
      await sql`insert into lease_fees (location_code, lease_number, fee_id, description, amount)
        select s.location_code, s.lease_number, s.fee_id, fees.description, coalesce(s.amount, fees.amount)
        from ${chunk} as s join fees on fees.location_code = s.location_code and fees.fee_id = s.fee_id`.execute(tx)
      await yieldToOthers()
    }
  return written
}

const listed = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)))

function upsert(
  table: ImportTable,
  columns: string[],
  selected: RawBuilder<unknown>,
  chunk: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = table.table
  const once = onceOnly[table.file] ?? []
  const changing = columns.filter((column) => !table.conflict.includes(column) && !once.includes(column))
  const incoming = (column: string) =>
    name === 'units' && column === 'status'
      ? unitStatus
      : name === 'tenants'
        ? particular(column)
        : sql.ref(`excluded.${column}`)
  const sets = changing.map((column) => sql`${sql.ref(column)} = ${incoming(column)}`)
  if (name === 'settings') sets.push(sql`updated_at = excluded.updated_at`)
  return sql`insert into ${sql.table(name)} (${listed(columns)}) select ${selected} from ${chunk} as s where true
    on conflict (${listed(table.conflict)}) do update set ${sql.join(sets)}
    where ${sql.join(
      changing.map((column) => sql`${sql.ref(`${name}.${column}`)} is distinct from ${incoming(column)}`),
      sql` or `,
    )}`
}

/**
 * A unit that is held, rented or waits for the property manager after a move-out stays so. One that was there becomes
 * rented by a lease that comes in, never by the row: its tenant may have moved out since the files were checked.
 */
const unitStatus = sql`case when units.status in ('held', 'rented') or excluded.status = 'rented'
  or units.held_by = ${sql.lit(AWAITING_INSPECTION)} then units.status else excluded.status end`

/**
 * A tenant with an account keeps their own particulars on the site, where a new e-mail address counts once its mailbox has
 * confirmed it: files fill in what they left blank. Active duty protects whoever named it.
 */
function particular(column: string): RawBuilder<unknown> {
  const [theirs, filed] = [sql.ref(`tenants.${column}`), sql.ref(`excluded.${column}`)]
  const none = column === 'active_military' ? sql.lit(0) : sql.lit(column === 'military' ? '{}' : '')
  return sql`case when tenants.account_id is not null and ${theirs} <> ${none} then ${theirs} else ${filed} end`
}

/** New leases only; one that has come to be there meanwhile is a clash. */
const insertLeases = (columns: string[], selected: RawBuilder<unknown>, chunk: RawBuilder<unknown>) =>
  sql`insert into leases (${listed(columns)}, unit_id, unit_type_id)
    select ${selected}, units.unit_id, units.unit_type_id
    from ${chunk} as s join units on units.location_code = s.location_code and units.unit_number = s.unit_number`

/** What follows from the leases that came in: let units, gate codes, and a status by the opening balance. */
async function settleLeases(
  tx: Transaction<Tables>,
  db: Database,
  services: LinkParts,
  staging: Staging,
  letBefore: ReadonlySet<string>,
): Promise<void> {
  const now = services.clock.now()
  for (const location of staging.locationsOf('leases')) {
    // Units that were here before, or held: the others came in as rented.
    await sql`update units set status = 'rented', held_by = null, held_until = null
      where location_code = ${location} and status <> 'rented' and exists (select 1 from leases
        where leases.location_code = units.location_code and leases.unit_id = units.unit_id
          and leases.status <> 'Closed' and leases.created_at = ${now} and leases.imported is not null)`.execute(tx)
    await releaseHolds(tx, location, now)
    await yieldToOthers()
  }
  for (const { chunk } of staging.chunks(db, 'gate_codes')) {
    await sql`insert into gate_codes (${listed(gateCodeColumns)}, active, created_at)
      select ${sql.join(gateCodeColumns.map((column) => sql.ref(`s.${column}`)))}, 1, cast(${now} as bigint)
      from ${chunk} as s where true
      on conflict (location_code, gate_code) where active = 1
        do update set time_zone_name = excluded.time_zone_name where excluded.time_zone_name = '24-hour'
          and gate_codes.tenant_id = excluded.tenant_id`.execute(tx)
    const others = await sql`select 1 from ${chunk} as s join gate_codes on gate_codes.location_code = s.location_code
      and gate_codes.gate_code = s.gate_code and gate_codes.active = 1
      where gate_codes.tenant_id <> s.tenant_id limit 1`.execute(tx)
    if (others.rows.length > 0) throw new ChangedSince()
    await yieldToOthers()
  }
  // A lease that came in with its balance has the status already.
  for (const location of staging.locationsOf('ledger_entries').filter((one) => letBefore.has(one))) {
    await updateBalances(tx, services, location)
    await yieldToOthers()
  }
}

/** Leases whose opening balance came in with this import follow it. */
async function updateBalances(tx: Transaction<Tables>, services: LinkParts, location: string): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ status: 'Past Due' })
    .where('location_code', '=', location)
    .where('status', 'in', ['Current', 'Pre-Paid'])
    .where('imported', 'is not', null)
    .where('lease_number', 'in', (eb) =>
      eb
        .selectFrom('ledger_entries')
        .select('lease_number')
        .where('location_code', '=', location)
        .where('once', 'like', `${openingBalance}%`)
        .where('created_at', '=', services.clock.now()),
    )
    .where('balance', '>', 0)
    .execute()
}

/** What day it is at each facility. */
async function todays(tx: Transaction<Tables>, services: LinkParts): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('locations').select(['location_code', 'time_zone']).execute()
  return new Map(rows.map((row) => [row.location_code, todayIn(row.time_zone, services.clock.now())]))
}

/**
 * Whoever is on active military duty is never led towards an auction, whatever the files say (case 35): a court decides
 * about their belongings. Also where the lease was here before and its tenant's duty comes with this import.
 */
async function clearMilitaryAuctionFlags(tx: Transaction<Tables>, services: LinkParts): Promise<void> {
  const days = await todays(tx, services)
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
        // Closed or paid meanwhile: the next round looks at it again.
        .where('status', '=', lease.status)
        .execute()
    }
    if (leases.length < most) return
  }
}

/**
 * A state that no row names is listed under its name: its facilities are found by state, and a business need not tell us what
 * Oregon is called.
 */
async function nameStates(tx: Transaction<Tables>): Promise<void> {
  const unnamed = await tx
    .selectFrom('locations')
    .select('state')
    .distinct()
    .where('state', 'not in', (eb) => eb.selectFrom('states').select('short_name'))
    .orderBy('state')
    .execute()
  if (unnamed.length === 0) return
  const rows = unnamed.map(({ state }) => ({
    short_name: state,
    full_name: stateName(state),
    map_img: '',
    general_contact_number: '',
  }))
  await tx
    .insertInto('states')
    .values(rows)
    .onConflict((conflict) => conflict.column('short_name').doNothing())
    .execute()
}

const tenantNumbers = (db: Kysely<Tables>) =>
  db.selectFrom('counters').select(['location_code', 'next']).where('kind', '=', 'tenant').execute()

/**
 * New tenants and leases are numbered after those that were brought in.
 * @param numbered by facility, the next tenant's number when the check began
 * @throws ChangedSince where the site has given a tenant the number that a row of the import brings somebody else with
 */
async function countOn(
  tx: Transaction<Tables>,
  staging: Staging,
  numbered: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { location_code, next } of await tenantNumbers(tx)) {
    const from = numbered.get(location_code) ?? 0
    if (staging.brings('tenants', location_code, 'tenant_id', from, next)) throw new ChangedSince()
  }
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
export const sentenceOf = ({ file, line, column, says, ofText }: Problem): string =>
  `${file} ${file.endsWith('.json') && !ofText ? 'entry' : 'line'} ${line}${column === '' ? '' : `, ${column}`}: ${says}`
