import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { brandProblem } from '../../domain/brand.ts'
import { todayIn } from '../../domain/dates.ts'
import { emailKey, nameKey } from '../../domain/phone.ts'
import { addDays } from '../../domain/plain-date.ts'
import { fee24HourAccess } from '../../domain/texts/move-in.ts'
import type { Database } from '../../platform/database/open.ts'
import { rowMaker } from '../../platform/database/sqlite.ts'
import type { ChosenFee, Column } from './columns.ts'
import { tenantNumbers } from './numbers.ts'
import { readRows, type Tell } from './read-rows.ts'
import { balanceRow, gateCodeColumns, type LinkParts, leaseFeeColumns, leaseRow, stagedColumns } from './stage.ts'
import { keySeparator, type Staging, type TakenKeys } from './staging.ts'
import { importTables } from './tables/index.ts'
import { type FileName, type ImportTable, type Key, type Reference, slugOf, type Values } from './tables/table.ts'

const KNOWN_ROWS_AT_A_TIME = 10_000

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

export class Check {
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
    // A lease that is there already is left alone, even where another has its unit by now.
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

const headerOf = (table: ImportTable) =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [name, { mustBeThere: !('blank' in column) }]),
  )

const shown = (cell: string) => (cell.length > 60 ? `${cell.slice(0, 57)}…` : cell)

/** Whether a day lies before the one that precedes `date`. */
const isBeforeEve = (day: string, date: string): boolean => day < date && day < addDays(date, -1)
