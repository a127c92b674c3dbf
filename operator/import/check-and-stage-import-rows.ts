import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { toWire } from '../../domain/money.ts'
import { parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import type { Column } from '../../modules/facilities/rules/csv-column-types.ts'
import { fee24HourAccess } from '../../modules/pricing/texts/full-day-access-fee-name.ts'
import { withUntypedTables } from '../../platform/database/connection-without-table-types.ts'
import type { Database } from '../../platform/database/open.ts'
import { rowOf } from '../../platform/database/sqlite.ts'
import { loadTenantNumbers } from './complete-imported-leases.ts'
import {
  gateCodeColumns,
  type ImportServices,
  leaseFeeColumns,
  stagedColumns,
  stagedRow,
} from './computed-staging-columns.ts'
import { whyStatusKept } from './existing-units-that-keep-status.ts'
import {
  type FileName,
  type ImportTable,
  type Key,
  parsedFeesOf,
  type Reference,
  unitKeyOf,
  type Values,
} from './import-file-definition.ts'
import { importTables } from './import-file-definitions.ts'
import { type ReportProblem, readRows } from './read-rows.ts'
import { keySeparator, type Staging, type TakenKeys } from './staging-tables.ts'

const EXISTING_ROWS_BATCH = 10_000

/** Where a key occurs: in a row of this import, in a row of it with invalid cells, or in existing records. */
type Origin = 'here' | 'bad' | 'there'

interface OtherKey {
  key: Key
  taken: TakenKeys
  ownerOf: (values: Values) => string
}

/** The keys that a file's rows define and refer to. */
interface Rules {
  rows: TakenKeys
  others: OtherKey[]
  references: { reference: Reference; taken: TakenKeys }[]
}

type ReportCell = (column: string, says: string) => void

/** Functions by which an import rule reports problems of the row that it checks. */
interface RowReport {
  wrong: ReportCell
  /** Reports a value that is not applied although the row is valid. */
  notApplied: ReportCell
}

/** Checks the rows of all files and stages the valid ones. */
export class RowChecker {
  readonly #services: ImportServices
  readonly #staging: Staging
  readonly #report: ReportProblem
  readonly #reportNotApplied: ReportProblem
  readonly #rules = new Map<FileName, Rules>()
  /** Files with unreadable rows, to which references are not checked. */
  readonly #incomplete = new Set<FileName>()
  /** Today's date at each facility, by its code. */
  readonly #days = new Map<string, string>()
  /** Keys of the fees that allow 24-hour access after the import: facility and fee number. */
  readonly #allHours = new Set<string>()
  /** Leases that existed before the import, as JSON, to report values of the files that differ and are not applied. */
  readonly #leases: TakenKeys
  /** Existing units that keep their status at the import, each as JSON: its status, and why it is kept. */
  readonly #keptStatuses: TakenKeys
  /**
   * Units that the imported files mark as out of service (status 'off'), by facility and unit number. If the files also
   * have an open lease of such a unit, the unit is imported as rented, which is reported.
   */
  readonly #unitsOff: TakenKeys
  readonly #erased = new Set<string>()
  /** Next tenant number of each facility before the import. */
  readonly nextTenantNumbers = new Map<string, number>()
  /** Optional columns that are missing in a file: existing rows keep their values. */
  readonly leftOut = new Map<FileName, ReadonlySet<string>>()
  /** Set after the first problem: rows are still checked but no longer staged. */
  #hasProblem = false

  constructor(services: ImportServices, staging: Staging, report: ReportProblem, reportNotApplied: ReportProblem) {
    this.#services = services
    this.#staging = staging
    this.#reportNotApplied = reportNotApplied
    this.#leases = staging.keys()
    this.#keptStatuses = staging.keys()
    this.#unitsOff = staging.keys()
    this.#report = (problem) => {
      this.#hasProblem = true
      report(problem)
    }
    const keys = new Map<string, TakenKeys>()
    for (const table of importTables)
      for (const key of table.keys) keys.set(`${table.file} ${key.name}`, staging.keys())
    const keyOf = (file: FileName, name: string) => keys.get(`${file} ${name}`)!
    for (const {
      file,
      keys: [rowKey, ...others],
      references,
    } of importTables) {
      this.#rules.set(file, {
        rows: keyOf(file, rowKey.name),
        others: others.map((key) => ({ key, taken: keyOf(file, key.name), ownerOf: key.owner ?? rowKey.keyOf })),
        references: references.map((reference) => ({ reference, taken: keyOf(reference.to, reference.key) })),
      })
    }
  }

  /** Reads the keys of existing records: imported rows may refer to them, update them, or conflict with them. */
  async loadExistingKeys(db: Database, progress: (line: string) => void): Promise<void> {
    for (const { location_code, next } of await loadTenantNumbers(db.read))
      this.nextTenantNumbers.set(location_code, next)
    for (const table of importTables) {
      if (table.file === 'balances') continue
      let count = 0
      for (
        let rows = await loadRowsAfter(db, table);
        rows.length > 0;
        rows = await loadRowsAfter(db, table, rows.at(-1))
      ) {
        for (const row of rows) this.#addExistingRow(table, row)
        count += rows.length
        if (rows.length < EXISTING_ROWS_BATCH) break
        progress(`${count} of the business's own ${table.file} looked through`)
        await yieldToOthers()
      }
    }
  }

  #addExistingRow(table: ImportTable, row: Values): void {
    const { rows, others } = this.#rules.get(table.file)!
    const values = 'status' in row ? { ...row, closed_on: row.status === 'Closed' ? 'closed' : null } : row
    rows.take(table.keys[0].keyOf(values), 'there' satisfies Origin)
    for (const other of others) takeOtherKey(other, values)
    if (table.file === 'tenants' && row.erased_at !== null) this.#erased.add(table.keys[0].keyOf(row))
    if (table.file === 'leases') this.#leases.take(table.keys[0].keyOf(row), JSON.stringify(row))
    if (table.file === 'units') {
      const why = whyStatusKept(row)
      if (why !== null) this.#keptStatuses.take(table.keys[0].keyOf(row), JSON.stringify({ status: row.status, why }))
    }
    this.#recordDayAndFee(table.file, values)
  }

  #recordDayAndFee(file: FileName, values: Values): void {
    if (file === 'facilities')
      this.#days.set(String(values.location_code), todayIn(String(values.time_zone), this.#services.clock.now()))
    if (file !== 'fees') return
    const feeKey = feeKeyOf(values.location_code, values.fee_id)
    // The import may rename an existing fee.
    if (values.description === fee24HourAccess) this.#allHours.add(feeKey)
    else this.#allHours.delete(feeKey)
  }

  /** Checks the rows of an import file and stages those to load. @returns number of rows that were checked */
  async checkFile(folder: string, table: ImportTable, file: string, progress: (line: string) => void): Promise<number> {
    const reportUnreadable: ReportProblem = (problem) => {
      this.#incomplete.add(table.file)
      this.#report(problem)
    }
    const columns = Object.entries(table.columns)
    const names = Object.keys(table.columns)
    this.#staging.prepare(table.table, stagedColumns(table))
    if (table.file === 'leases') {
      this.#staging.prepare('lease_fees', leaseFeeColumns)
      this.#staging.prepare('gate_codes', gateCodeColumns)
    }
    let count = 0
    const fileColumns = new Set<string>()
    const leftOut = new Set(names)
    this.leftOut.set(table.file, leftOut)
    for await (const rows of readRows(folder, file, headerOf(table), reportUnreadable, fileColumns)) {
      for (const name of fileColumns) leftOut.delete(name)
      for (const { line, cells } of rows) {
        const rowReport: RowReport = {
          wrong: (column, says) => this.#report({ file, line, column, says }),
          notApplied: (column, says) => this.#reportNotApplied({ file, line, column, says }),
        }
        const read = readCells(columns, cells, rowReport.wrong)
        const values = rowOf(names, read.values)
        if (!read.ok) this.#registerInvalidRow(table, values)
        else if (this.#checkRow(table, values, (column) => shorten(cells[names.indexOf(column)] ?? ''), rowReport))
          this.#stage(table, read.values, values)
      }
      count += rows.length
      progress(`${file}: ${count} rows checked`)
    }
    return count
  }

  /** Registers an invalid row's keys, so that rows that refer to the invalid row are not reported too. */
  #registerInvalidRow(table: ImportTable, values: Values): void {
    const { rows, others } = this.#rules.get(table.file)!
    const rowKey = table.keys[0].keyOf(values)
    if (!rowKey.includes('undefined')) rows.take(rowKey, 'bad' satisfies Origin)
    for (const other of others) if (!other.key.keyOf(values).includes('undefined')) takeOtherKey(other, values)
  }

  /** Checks a row. @returns whether to load the row: true if it is valid and not of an existing lease */
  #checkRow(table: ImportTable, values: Values, cellOf: (column: string) => string, rowReport: RowReport): boolean {
    let isValid = true
    const wrong: ReportCell = (column, says) => {
      isValid = false
      rowReport.wrong(column, says)
    }
    const { rows, others } = this.#rules.get(table.file)!
    const [rowKey] = table.keys
    const origin = takeRowKey(rows, rowKey.keyOf(values))
    if (origin === 'here') {
      wrong(rowKey.column, `'${cellOf(rowKey.column)}' is in this file twice`)
      return false
    }
    if (table.file === 'tenants' && this.#erased.has(rowKey.keyOf(values)))
      wrong('tenant_id', `'${cellOf('tenant_id')}' was erased: leave the row out, or give the person a new number`)
    this.#checkReferences(table, values, cellOf, wrong)
    // An existing lease is not changed, so its row is no problem even if another lease has the unit by now.
    if (origin === 'there' && table.file === 'leases') {
      this.#reportLeaseDifferences(rowKey.keyOf(values), values, rowReport)
      return false
    }
    for (const other of others) {
      const { name, column } = other.key
      if (!takeOtherKey(other, values)) wrong(column, `'${cellOf(column)}' is taken: ${name} belongs to one only`)
    }
    const violation = table.rule?.(values, cellOf)
    if (violation) wrong(...violation)
    if (table.file === 'units') this.#checkUnitStatus(rowKey.keyOf(values), values, rowReport)
    if (table.file === 'leases' && values.closed_on === null && this.#unitsOff.isTaken(unitKeyOf(values)))
      rowReport.notApplied('unit_number', `unit ${values.unit_number} is off in the files and comes in as rented`)
    return isValid
  }

  #reportLeaseDifferences(key: string, values: Values, { notApplied }: RowReport): void {
    const lease = parseJson(this.#leases.ownerOf(key)!, isRecord)
    const leftOut = this.leftOut.get('leases')!
    if (lease.rent !== values.rent)
      notApplied(
        'rent',
        `is ${toWire(Number(lease.rent))} on the lease, and ${toWire(Number(values.rent))} in the file`,
      )
    for (const [column, label] of Object.entries({ tenant_id: 'tenant', unit_number: 'unit', gate_code: 'gate code' }))
      if (!leftOut.has(column) && lease[column] !== values[column])
        notApplied(column, `is another ${label} than the lease's`)
    if (!leftOut.has('closed_on') && (lease.status === 'Closed') !== (values.closed_on !== null))
      notApplied('closed_on', `the lease is ${lease.status === 'Closed' ? 'closed' : 'open'}`)
  }

  #checkUnitStatus(key: string, values: Values, { notApplied }: RowReport): void {
    if (this.leftOut.get('units')!.has('status')) return
    if (values.status === 'off') this.#unitsOff.take(unitKeyOf(values), 'off')
    const keptJson = this.#keptStatuses.ownerOf(key)
    if (keptJson === undefined) return
    const { status, why } = parseJson(keptJson, isRecord)
    if ((status === 'off') !== (values.status === 'off')) notApplied('status', `unit ${values.unit_number} ${why}`)
  }

  #checkReferences(table: ImportTable, values: Values, cellOf: (column: string) => string, wrong: ReportCell): void {
    for (const { reference, taken } of this.#rules.get(table.file)!.references) {
      if (this.#incomplete.has(reference.to)) continue
      const keys = [reference.keysOf(values)].flat()
      if (keys.every((value) => value === '' || taken.isTaken(value))) continue
      wrong(reference.column, `there is no ${reference.label} ${cellOf(reference.column)}`)
      // At an unknown facility the row's other references would fail too.
      if (reference.column === 'location_code') return
    }
  }

  #stage(table: ImportTable, read: unknown[], values: Values): void {
    this.#recordDayAndFee(table.file, values)
    // A balance of 0 needs no ledger entry.
    if (this.#hasProblem || (table.file === 'balances' && values.amount === 0)) return
    const today = this.#days.get(String(values.location_code)) ?? ''
    if (table.file === 'leases') this.#stageLeaseParts(values)
    this.#staging.add(table.table, stagedRow(table.file, read, values, { today, random: this.#services.random }))
  }

  #stageLeaseParts({ location_code: location, lease_number: lease, ...values }: Values): void {
    const fees = parsedFeesOf(values)
    for (const { feeId, amount } of fees) this.#staging.add('lease_fees', [location, lease, feeId, amount])
    if (values.closed_on !== null || values.gate_code === '') return
    const hours = fees.some(({ feeId }) => this.#allHours.has(feeKeyOf(location, feeId))) ? '24-hour' : 'standard'
    this.#staging.add('gate_codes', [location, values.gate_code, values.tenant_id, lease, hours])
  }
}

/**
 * Parses a row's cells.
 * @returns the values in the order of the columns; undefined for an invalid cell, which is reported
 */
function readCells(
  columns: [string, Column][],
  cells: string[],
  wrong: ReportCell,
): { ok: boolean; values: unknown[] } {
  let ok = true
  const values = columns.map(([name, column], at) => {
    const cell = cells[at] ?? ''
    if (cell === '' && 'blank' in column) return column.blank
    const value = cell === '' ? undefined : column.read(cell)
    if (value !== undefined) return value
    ok = false
    const { shape } = column
    wrong(name, cell === '' ? `is blank; it should be ${shape}` : `should be ${shape}, not '${shorten(cell)}'`)
    return undefined
  })
  return { ok, values }
}

function takeRowKey(rows: TakenKeys, rowKey: string): Origin | undefined {
  if (rows.take(rowKey, 'here' satisfies Origin)) return undefined
  const before = rows.ownerOf(rowKey) as Origin
  if (before !== 'here') rows.handOver(rowKey, 'here' satisfies Origin)
  return before
}

/**
 * Takes a row's value of a further unique key for the key's owner: the row, or for a gate code the tenant.
 * @returns whether the value was '', free, or taken by the same owner
 */
function takeOtherKey({ key, taken, ownerOf }: OtherKey, values: Values): boolean {
  const value = key.keyOf(values)
  if (value === '') return true
  const owner = ownerOf(values)
  return taken.take(value, owner) || taken.ownerOf(value) === owner
}

const feeKeyOf = (location: unknown, fee: unknown) => `${location}${keySeparator}${fee}`

async function loadRowsAfter(db: Database, table: ImportTable, last?: Values): Promise<Values[]> {
  const keys = table.conflict.map((column) => sql.ref(column))
  let query = withUntypedTables(db.read)
    .selectFrom(table.table)
    .select([...table.conflict, ...(table.existingColumns ?? [])])
  if (last)
    query = query.where(
      sql<boolean>`(${sql.join(keys)}) > (${sql.join(table.conflict.map((column) => sql.val(last[column])))})`,
    )
  return query.orderBy(sql.join(keys)).limit(EXISTING_ROWS_BATCH).execute()
}

const headerOf = (table: ImportTable) =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [name, { mustBeThere: !('blank' in column) }]),
  )

const shorten = (cell: string) => (cell.length > 60 ? `${cell.slice(0, 57)}…` : cell)
