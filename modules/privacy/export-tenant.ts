/** Exports all data about a tenant, as a ZIP file of lists and documents. */

import { format } from '../../domain/money.ts'
import { formatLong } from '../../domain/plain-date.ts'
import { csvLine } from '../../domain/spreadsheet.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import { loadPaymentFacts } from '../payments/receipt.ts'
import { loadAllMessages } from '../tenant-view/timeline.ts'
import type { HeldTable } from './data-inventory/held-table.ts'
import { heldTables, skippedTables } from './data-inventory/index.ts'
import { countRows, csvHeader, csvLines, encodeUtf8, readPages } from './read-tenant-rows.ts'
import { loadTenantKeys, type TenantKeys } from './tenant-record-ids.ts'
import { type ArchivedFile, zipFiles } from './zip-files.ts'

/** The exported tenant, and by whom and when the data is exported. */
export interface ExportBy {
  locationCode: string
  tenantId: number
  /** Staff member who exports. */
  by: string
  at: Instant
  facility: string
  timeZone: string
}

/** Thrown when the tenant is erased while the archive is written, which then ends unfinished. */
export class ErasedMeanwhile extends Error {}

/** Counts a tenant's rows in each list of the personal-data export. Lists without rows are left out. */
export async function countHeldRows(
  services: Pick<Services, 'db'>,
  keys: TenantKeys,
): Promise<{ table: HeldTable; rows: number }[]> {
  const counted = await Promise.all(
    heldTables.map(async (one) => ({ table: one, rows: await countRows(services.db.read, one, keys) })),
  )
  return counted.filter(({ rows }) => rows > 0)
}

/**
 * Streams the archive of a tenant's data.
 * @returns null for an unknown tenant
 */
export async function exportTenantArchive(
  services: Services,
  of: ExportBy,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const keys = await loadTenantKeys(services.db.read, of)
  return keys && zipFiles(filesOf(services, of, keys))
}

async function* filesOf(services: Services, of: ExportBy, keys: TenantKeys): AsyncGenerator<ArchivedFile> {
  const held = await countHeldRows(services, keys)
  yield { name: 'read-me.txt', content: once(aboutText(of, keys, held)) }
  for (const { table } of held) {
    await refuseErased(services, keys)
    yield { name: `${table.file}.csv`, content: listOf(services, table, keys) }
    yield* documentsOf(services, table, keys)
  }
  await refuseErased(services, keys)
  yield { name: 'mails-sent.csv', content: mailList(services, keys) }
  yield { name: 'receipts.csv', content: receiptList(services, keys) }
  // The central directory comes last; without it the archive is invalid.
  await refuseErased(services, keys)
}

async function refuseErased({ db }: Services, keys: TenantKeys): Promise<void> {
  const now = await db.read
    .selectFrom('tenants')
    .select('erased_at')
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }))
    .executeTakeFirst()
  if (now?.erased_at !== keys.tenant.erased_at) throw new ErasedMeanwhile('The tenant was erased meanwhile')
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield encodeUtf8(text)
}

async function* listOf(services: Services, one: HeldTable, keys: TenantKeys): AsyncGenerator<Uint8Array> {
  yield encodeUtf8(csvHeader(one))
  for await (const rows of readPages(services.db.read, one, keys)) yield encodeUtf8(csvLines(services, one, rows))
}

async function* documentsOf(services: Services, one: HeldTable, keys: TenantKeys): AsyncGenerator<ArchivedFile> {
  const { document } = one
  if (!document) return
  for await (const rows of readPages(services.db.read, one, keys))
    for (const row of rows) {
      const file = await services.files.get(String(row[document.key]))
      if (!file) continue
      const content = document.open?.(services, row as never, file.content) ?? file.content
      yield { name: document.name(row as never), packed: true, content: whole(content) }
    }
}

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array> {
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

function aboutText(of: ExportBy, keys: TenantKeys, held: { table: HeldTable; rows: number }[]): string {
  const day = formatLong(todayIn(of.timeZone, of.at))
  const left = Object.entries(skippedTables).filter(([, one]) => /other person|own people|Listed/.test(one.export))
  const lines = [
    `What is held of tenant ${keys.tenantId} at ${of.facility} (${keys.locationCode})`,
    `Exported on ${day}, ${formatInstantIn(of.timeZone, of.at)}, by ${of.by}`,
    '',
    'Lists are CSV files with a line of headings. Times are in UTC, sums in dollars.',
    'Signed leases and proofs of insurance stand in folders of their own.',
    '',
    ...held.map(({ table, rows }) => `${table.file}.csv: ${table.name} (${rows})`),
    'mails-sent.csv: Mails and texts sent',
    'receipts.csv: Receipts of payments by card and bank',
    '',
    'Not in here:',
    ...left.map(([table, one]) => `${table.replaceAll('_', ' ')}: ${one.export}`),
    'passwords, security answers, sign-in tokens and the card provider’s tokens: secrets, kept as hashes or sealed.',
  ]
  return `${lines.join('\r\n')}\r\n`
}
