/** Exports the data about a tenant that the table cards show, as a ZIP file of lists and documents. */

import { csvLine } from '../../domain/csv-cells.ts'
import { format } from '../../domain/money.ts'
import { formatLong } from '../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { RefusalError } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { loadPaymentFacts } from '../payments/receipt.ts'
import { loadAllMessages } from '../tenant-view/messages-about-tenant.ts'
import type { HeldTable } from './data-inventory/derive-export-and-erasure-columns.ts'
import { heldTables, skippedTables } from './data-inventory/index.ts'
import { countRows, csvHeader, csvLines, encodeUtf8, readPages } from './internal/read-tenant-rows.ts'
import { type ArchivedFile, zipFiles } from './internal/zip-files.ts'
import { loadTenantKeys, type TenantKeys } from './tenant-record-ids.ts'

/** Request for an export: the tenant, the exporting staff member, and the time. */
export interface ExportBy {
  locationCode: string
  tenantId: number
  /** Name of the staff member who exports. */
  by: string
  at: Instant
  /** Name of the tenant's facility. */
  facility: string
  timeZone: string
}

/** Thrown when the tenant is erased while the archive is written, which then ends unfinished. */
class ErasedMeanwhile extends Error {}

/** Counts a tenant's rows in each list of the personal-data export. Lists without rows are left out. */
export async function countHeldRows(
  services: Pick<Services, 'db'>,
  keys: TenantKeys,
): Promise<{ table: HeldTable; rows: number }[]> {
  const counted = await Promise.all(
    heldTables.map(async (table) => ({ table, rows: await countRows(services.db.read, table, keys) })),
  )
  return counted.filter(({ rows }) => rows > 0)
}

/**
 * Streams the archive of a tenant's data.
 * @throws RefusalError for an unknown tenant
 */
export async function exportTenantArchive(services: Services, request: ExportBy): Promise<AsyncGenerator<Uint8Array>> {
  const keys = await loadTenantKeys(services.db.read, request)
  if (!keys) throw new RefusalError(recordNotFound)
  return zipFiles(archivedFiles(services, request, keys))
}

async function* archivedFiles(services: Services, request: ExportBy, keys: TenantKeys): AsyncGenerator<ArchivedFile> {
  const lists = await countHeldRows(services, keys)
  yield { name: 'read-me.txt', content: textContent(aboutText(request, keys, lists)) }
  for (const { table } of lists) {
    await throwIfErased(services, keys)
    yield { name: `${table.file}.csv`, content: listContent(services, table, keys) }
    yield* archivedDocuments(services, table, keys)
  }
  await throwIfErased(services, keys)
  yield { name: 'mails-sent.csv', content: mailList(services, keys) }
  yield { name: 'receipts.csv', content: receiptList(services, keys) }
  // The central directory comes last; without it the archive is invalid.
  await throwIfErased(services, keys)
}

async function throwIfErased({ db }: Services, keys: TenantKeys): Promise<void> {
  const tenant = await db.read
    .selectFrom('tenants')
    .select('erased_at')
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }))
    .executeTakeFirst()
  if (tenant?.erased_at !== keys.tenant.erased_at) throw new ErasedMeanwhile('The tenant was erased meanwhile')
}

async function* textContent(text: string): AsyncGenerator<Uint8Array> {
  yield encodeUtf8(text)
}

async function* listContent(services: Services, card: HeldTable, keys: TenantKeys): AsyncGenerator<Uint8Array> {
  yield encodeUtf8(csvHeader(card))
  for await (const rows of readPages(services.db.read, card, keys)) yield encodeUtf8(csvLines(services, card, rows))
}

async function* archivedDocuments(services: Services, card: HeldTable, keys: TenantKeys): AsyncGenerator<ArchivedFile> {
  const { document } = card
  if (!document) return
  for await (const rows of readPages(services.db.read, card, keys))
    for (const row of rows) {
      const file = await services.files.get(String(row[document.key]))
      if (!file) continue
      const content = document.open?.(services, row, file.content) ?? file.content
      yield { name: document.name(row), packed: true, content: inOnePiece(content) }
    }
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

async function* mailList({ db }: Services, keys: TenantKeys): AsyncGenerator<Uint8Array> {
  const receipts = await db.read
    .selectFrom('counter_receipts')
    .select('receipt_id')
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }))
    .execute()
  const mails = await loadAllMessages(db.read, keys, {
    orders: keys.orderIds,
    receipts: receipts.map((receipt) => receipt.receipt_id),
  })
  yield encodeUtf8(csvLine(['at', 'what', 'state']))
  for (const { at, name, state } of mails) yield encodeUtf8(csvLine([new Date(at).toISOString(), name, state]))
}

async function* receiptList(services: Services, keys: TenantKeys): AsyncGenerator<Uint8Array> {
  yield encodeUtf8(csvLine(['receipt', 'date', 'unit', 'for', 'amount', 'method']))
  const posted = await services.db.read
    .selectFrom('payments')
    .select('order_id')
    .where('order_id', 'in', keys.orderIds.length > 0 ? keys.orderIds : [''])
    .where('posted_at', 'is not', null)
    .orderBy('posted_at')
    .execute()
  for (const { order_id } of posted) {
    const facts = await loadPaymentFacts(services, order_id)
    if (!facts) continue
    const { receiptNumber, date, unitNumber, method } = facts
    const lines = facts.lines.map((line) =>
      csvLine([receiptNumber, date, unitNumber, line.label, format(line.cents), method]),
    )
    yield encodeUtf8(lines.join(''))
  }
}

function aboutText(request: ExportBy, keys: TenantKeys, lists: { table: HeldTable; rows: number }[]): string {
  const day = formatLong(todayIn(request.timeZone, request.at))
  const skipped = Object.entries(skippedTables).filter(([, card]) => card.isNamedInExport)
  const lines = [
    `What is held of tenant ${keys.tenantId} at ${request.facility} (${keys.locationCode})`,
    `Exported on ${day}, ${formatInstantIn(request.timeZone, request.at)}, by ${request.by}`,
    '',
    'Lists are CSV files with a line of headings. Times are in UTC, sums in dollars.',
    'In texts with braces, sums are in cents and times in milliseconds since 1970.',
    'Signed leases and proofs of insurance stand in folders of their own.',
    '',
    ...lists.map(({ table, rows }) => `${table.file}.csv: ${table.name} (${rows})`),
    'mails-sent.csv: Mails and texts sent',
    'receipts.csv: Receipts of payments by card and bank',
    '',
    'Not in here:',
    ...skipped.map(([table, card]) => `${table.replaceAll('_', ' ')}: ${card.export}`),
    'passwords, security answers, sign-in tokens and the card provider’s tokens: secrets, kept as hashes or sealed.',
  ]
  return `${lines.join('\r\n')}\r\n`
}
