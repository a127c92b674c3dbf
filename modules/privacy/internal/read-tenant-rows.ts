/** Reads the rows about a tenant, and formats them for an export. */

import { type Kysely, sql } from 'kysely'
import { csvLine } from '../../../domain/csv-cells.ts'
import { toWire } from '../../../domain/money.ts'
import { withUntypedTables } from '../../../platform/database/connection-without-table-types.ts'
import { DecryptionFailed } from '../../../platform/encryption/sealer.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { HeldTable } from '../data-inventory/derive-export-and-erasure-columns.ts'
import { exportedColumns } from '../data-inventory/derive-export-and-erasure-columns.ts'
import type { TenantKeys } from '../tenant-record-ids.ts'

type Row = Record<string, unknown>

/** Maximum number of rows that one query reads from a table whose card has `by`. */
const PAGE_SIZE = 500

/** Columns of exported tables that hold cents. The export writes them as dollars. */
export const moneyColumns = new Set([
  'cents',
  'amount',
  'approved_amount',
  'refunded_cents',
  'rent',
  'street_rent',
  'balance',
  'next_rent',
  'old_rent',
  'new_rent',
  'insurance_premium',
  'settlement_amount',
  'moved_cents',
  'owed',
  'surplus',
])

/** Returns whether a column of numbers holds instants, by its name. The export writes them as ISO 8601. */
export const isInstantColumn = (column: string): boolean => /(^|_)(at|until)$/.test(column)

/** Counts the rows of a table about a tenant. */
export async function countRows(db: Kysely<Tables>, card: HeldTable, keys: TenantKeys): Promise<number> {
  const { rows } = await withUntypedTables(db)
    .selectFrom(card.table)
    .select(sql<number>`count(*)`.as('rows'))
    .where(card.rows(keys))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

/** Yields the rows of a table about a tenant: in pages by its key, or all at once where its card names no key. */
export async function* readPages(db: Kysely<Tables>, card: HeldTable, keys: TenantKeys): AsyncGenerator<Row[]> {
  let last: unknown
  for (;;) {
    let query = withUntypedTables(db).selectFrom(card.table).selectAll().where(card.rows(keys))
    if (card.by) query = query.orderBy(card.by).limit(PAGE_SIZE)
    if (card.by && last !== undefined) query = query.where(card.by, '>', last)
    const rows: Row[] = await query.execute()
    if (rows.length > 0) yield rows
    if (!card.by || rows.length < PAGE_SIZE) return
    last = rows.at(-1)?.[card.by]
  }
}

/** Returns a column's heading: its name without the mark of encrypted columns. */
const headingOf = (column: string): string => column.replace(/_sealed$|^sealed_/, '')

/** Formats a row for people: instants and amounts as text, encrypted values decrypted. */
function cellsOf(services: Services, card: HeldTable, row: Row): string[] {
  const shownRow = card.show ? card.show(row) : row
  return exportedColumns(card).map((column) => {
    const value = shownRow[column]
    if (value === null || value === undefined || value === '') return ''
    const decrypt = card.opened?.[column]
    const sealing = card.sealed?.[column]
    if (decrypt) return decryptedText(() => decrypt(services, shownRow))
    if (sealing) return decryptedText(() => services.sealer.open(String(value), sealing.context(shownRow, {})))
    if (typeof value === 'number' && isInstantColumn(column)) return new Date(value).toISOString()
    return typeof value === 'number' && moneyColumns.has(column) ? toWire(value) : String(value)
  })
}

function decryptedText(decrypt: () => string): string {
  try {
    return decrypt()
  } catch (error) {
    if (error instanceof DecryptionFailed || error instanceof SyntaxError) return '(cannot be opened any more)'
    throw error
  }
}

const encoder = new TextEncoder()
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)

/** Returns the header line of a table's CSV file. */
export const csvHeader = (card: HeldTable): string => csvLine(exportedColumns(card).map(headingOf))

/** Returns rows of a table as lines of its CSV file. */
export const csvLines = (services: Services, card: HeldTable, rows: readonly Row[]): string =>
  rows.map((row) => csvLine(cellsOf(services, card, row))).join('')
