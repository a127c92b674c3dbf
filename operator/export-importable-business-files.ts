import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Selectable, sql, type Transaction } from 'kysely'
import { escapeFormula, quoteCsvCell } from '../domain/csv-cells.ts'
import { hasFields, parseJson } from '../domain/parse-json-and-check-shape.ts'
import type { ChosenFee } from '../modules/facilities/rules/csv-column-types.ts'
import { balance, type Entry, unpaidByPeriod } from '../modules/ledger/rules/ledger.ts'
import { withUntypedTables } from '../platform/database/connection-without-table-types.ts'
import type { Database } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import type { ImportTable, Values } from './import/import-file-definition.ts'
import { contentSettings, importTables } from './import/import-file-definitions.ts'

export type ExportFormat = 'csv' | 'json'

export type Exported =
  | { ok: true; counts: { file: string; rows: number }[] }
  /** A file of the export exists already; an export overwrites nothing. */
  | { ok: false; why: string }

/**
 * Exports a snapshot of the business as files that `importFolder` reads. The files have no columns for accounts, autopay,
 * reservations and payments, for example.
 * @throws DatabaseUnavailable
 */
export async function exportFolder(
  db: Database,
  folder: string,
  { format = 'csv', progress = () => {} }: { format?: ExportFormat; progress?: (line: string) => void } = {},
): Promise<Exported> {
  mkdirSync(folder, { recursive: true })
  const existingFiles = importTables.flatMap((table) =>
    ['csv', 'json'].map((ending) => `${table.file}.${ending}`).filter((file) => existsSync(join(folder, file))),
  )
  if (existingFiles.length > 0)
    return { ok: false, why: `${join(folder, existingFiles[0]!)} exists already; an export overwrites nothing` }
  const counts: { file: string; rows: number }[] = []
  await db.transaction(async (tx) => {
    if (db.engine === 'postgres') await sql`set transaction isolation level repeatable read`.execute(tx)
    // The transaction is run again after a conflict.
    counts.length = 0
    for (const table of importTables) {
      const rows = await loadRows(tx, table)
      const file = `${table.file}.${format}`
      await write(join(folder, file), table, rows, format)
      counts.push({ file, rows: rows.length })
      progress(`${file}: ${rows.length} rows`)
      await yieldToOthers()
    }
  })
  return { ok: true, counts }
}

async function loadRows(tx: Transaction<Tables>, table: ImportTable): Promise<Values[]> {
  if (table.file === 'balances') return loadOpenBalances(tx)
  let query = withUntypedTables(tx).selectFrom(table.table).selectAll()
  for (const column of table.conflict) query = query.orderBy(column)
  const rows: Values[] = await query.execute()
  switch (table.file) {
    case 'settings':
      return rows.filter((row) => contentSettings.includes(String(row.name)))
    case 'units':
      // Leases determine which units are rented; holds belong to reservations.
      return rows.map((row) => ({ ...row, status: row.status === 'off' ? 'off' : 'free' }))
    case 'leases':
      return addFees(tx, rows)
    default:
      return rows
  }
}

async function addFees(tx: Transaction<Tables>, leases: Values[]): Promise<Values[]> {
  const fees = Map.groupBy(
    await tx.selectFrom('lease_fees').selectAll().orderBy('fee_id').execute(),
    (fee) => `${fee.location_code} ${fee.lease_number}`,
  )
  // A deleted fee cannot be imported by its number.
  const existingFees = new Set(
    (await tx.selectFrom('fees').select(['location_code', 'fee_id']).execute()).map(
      (fee) => `${fee.location_code} ${fee.fee_id}`,
    ),
  )
  return leases.map((lease) => {
    const imported =
      lease.imported === null ? null : parseJson(String(lease.imported), hasFields<Record<string, string>>())
    const recurring_fees: ChosenFee[] = (fees.get(`${lease.location_code} ${lease.lease_number}`) ?? [])
      .filter((fee) => existingFees.has(`${fee.location_code} ${fee.fee_id}`))
      .map((fee) => ({ feeId: fee.fee_id, amount: fee.amount }))
    return {
      ...lease,
      recurring_fees,
      closed_on: lease.status === 'Closed' ? (lease.closed_on ?? lease.paid_through) : null,
      scheduled_move_out: lease.status === 'Closed' ? null : lease.scheduled_move_out,
      signed_on: imported?.signed_on ?? lease.move_in_date,
      imported_from: imported?.from ?? 'Latchkey',
    }
  })
}

/**
 * Loads the open balances of leases for the export: one row for each unpaid period, and one for the remainder or
 * credit. After an import of these rows billing does not charge the periods again.
 */
async function loadOpenBalances(tx: Transaction<Tables>): Promise<Values[]> {
  const entries = await tx
    .selectFrom('ledger_entries')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'ledger_entries.location_code')
        .onRef('leases.lease_number', '=', 'ledger_entries.lease_number'),
    )
    .select(['leases.location_code', 'leases.lease_number', 'kind', 'cents', 'period_start', 'period_end', 'posted_on'])
    .where('balance', '!=', 0)
    .orderBy('leases.location_code')
    .orderBy('leases.lease_number')
    .execute()
  const byLease = Map.groupBy(entries, (entry) => `${entry.location_code} ${entry.lease_number}`)
  return [...byLease.values()].flatMap(openRows)
}

type OpenEntry = Pick<
  Selectable<Tables['ledger_entries']>,
  'location_code' | 'lease_number' | 'kind' | 'cents' | 'period_start' | 'period_end' | 'posted_on'
>

function openRows(rows: OpenEntry[]): Values[] {
  const { location_code, lease_number } = rows[0]!
  const entries = rows.map(
    (row): Entry => ({
      kind: row.kind,
      cents: row.cents,
      postedOn: row.posted_on,
      periodStart: row.period_start,
      periodEnd: row.period_end,
    }),
  )
  const periods = unpaidByPeriod(entries).filter((period) => period.end !== null && period.owed > 0)
  const remainder = balance(entries) - periods.reduce((sum, period) => sum + period.owed, 0)
  const withoutPeriod = rows.filter((row) => row.period_end === null)
  const days = (withoutPeriod.length > 0 ? withoutPeriod : rows).map((row) => row.posted_on).sort()
  const posted_on = days.at(-1)
  return [
    ...(remainder === 0 ? [] : [{ location_code, lease_number, amount: remainder, posted_on, period_start: null }]),
    ...periods.map(({ start, owed }) => ({
      location_code,
      lease_number,
      amount: owed,
      posted_on: start,
      period_start: start,
    })),
  ]
}

async function write(path: string, table: ImportTable, rows: Values[], format: ExportFormat): Promise<void> {
  const file = createWriteStream(path, { flags: 'w', mode: 0o600 })
  const columns = Object.entries(table.columns)
  const put = async (text: string) => {
    if (!file.write(text)) await once(file, 'drain')
  }
  if (format === 'csv') await put(`${columns.map(([name]) => name).join(',')}\n`)
  for (const [index, row] of rows.entries()) {
    const cells = columns.map(([name, column]) => {
      const value = row[name]
      return [
        name,
        value === null || value === undefined || value === '' ? '' : (column.write ?? String)(value),
      ] as const
    })
    if (format === 'csv') await put(`${cells.map(([, cell]) => quoteCsvCell(escapeFormula(cell))).join(',')}\n`)
    else await put(`${index === 0 ? '[\n' : ',\n'}${JSON.stringify(Object.fromEntries(cells))}`)
  }
  if (format === 'json') await put(rows.length === 0 ? '[]\n' : '\n]\n')
  file.end()
  await once(file, 'close')
}
