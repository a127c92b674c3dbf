/**
 * Erases a tenant's data as the table cards in each module's `table-types-and-privacy.ts` say, in one transaction. Files, and records
 * kept for a term, are erased later.
 */

import type { Kysely } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { isRecord } from '../../../domain/typed-keys.ts'
import { withUntypedTables } from '../../../platform/database/connection-without-table-types.ts'
import { deleteJobsAbout } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { erasedValues, type HeldTable } from '../data-inventory/derive-export-and-erasure-columns.ts'
import { heldTables } from '../data-inventory/index.ts'
import type { PrivacyTerms } from '../rules/retention-and-export-limit-setting.ts'
import { type TenantKeys, withoutShared } from '../tenant-record-ids.ts'
import { countRows, readPages } from './read-tenant-rows.ts'

/** Data that an erasure deletes, and data that it keeps. */
export interface ErasurePlan {
  erased: { name: string; rows: number }[]
  /** `until` is null for data that is kept as long as the ledger. */
  retained: { name: string; rows: number; why: string; until: IsoDate | null }[]
  /** Last day of the retention term; null if nothing is kept for a term. */
  keptUntil: IsoDate | null
}

/**
 * Returns the last day of the legal retention of agreements and authorizations; null if there was neither lease nor
 * posted payment, or that day has passed.
 */
export async function loadRetentionEnd(
  db: Kysely<Tables>,
  keys: TenantKeys,
  terms: PrivacyTerms,
  now: Instant,
): Promise<IsoDate | null> {
  const lease = await db
    .selectFrom('leases')
    // Leases of an earlier system may have no day of closing.
    .select((eb) => eb.fn.max<string | null>(eb.fn.coalesce('closed_on', 'paid_through')).as('on'))
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }))
    .executeTakeFirst()
  const payment = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.max<number | null>('posted_at').as('at'))
    .where('order_id', 'in', keys.orderIds.length > 0 ? keys.orderIds : [''])
    .executeTakeFirst()
  const paid = payment?.at == null ? '' : todayIn('UTC', Number(payment.at))
  const last = [lease?.on ?? '', paid].sort().at(-1) ?? ''
  if (last === '') return null
  const until = `${Number(last.slice(0, 4)) + terms.leaseYears}${last.slice(4)}`.replace('-02-29', '-02-28')
  return until < todayIn('UTC', now) ? null : until
}

/** Returns the data that an erasure would delete and keep, with the reason for keeping it and its last day. */
export async function planErasure(
  db: Kysely<Tables>,
  allKeys: TenantKeys,
  terms: PrivacyTerms,
  now: Instant,
): Promise<ErasurePlan> {
  const keys = withoutShared(allKeys)
  const until = await loadRetentionEnd(db, keys, terms, now)
  const counted = await Promise.all(heldTables.map(async (card) => ({ card, rows: await countRows(db, card, keys) })))
  const nonEmpty = counted.filter(({ rows }) => rows > 0)
  const isChanged = (card: HeldTable) =>
    Object.keys(erasedValues(card, 'now')).length > 0 || card.rewrite !== undefined || areRowsDeleted(card, until)
  return {
    keptUntil: until,
    erased: nonEmpty
      .filter(({ card }) => isChanged(card))
      .map(({ card, rows }) => ({
        rows,
        name: areRowsDeleted(card, until) ? card.name : `${card.name}: what is personal`,
      })),
    retained: nonEmpty
      .filter(({ card }) => !areRowsDeleted(card, until))
      .map(({ card, rows }) => ({
        name: card.name,
        rows,
        why: card.why ?? '',
        until: card.erasure === 'term' || card.kept ? until : null,
      })),
  }
}

/** Returns whether an erasure deletes the tenant's rows of the table, rather than clearing columns of them. */
const areRowsDeleted = (card: HeldTable, until: IsoDate | null): boolean =>
  card.erasure === 'rows' || (card.erasure === 'term' && until === null)

/**
 * Erases a tenant's data except what is kept for a term or as long as the ledger.
 * @param until last day of the retention term; null erases also what would be kept for a term
 * @returns keys of files to delete afterwards
 */
export async function eraseNow(
  tx: Kysely<Tables>,
  services: Services,
  allKeys: TenantKeys,
  until: IsoDate | null,
): Promise<string[]> {
  const keys = withoutShared(allKeys)
  await deleteJobsAbout(tx, await loadJobFilter(tx, keys))
  const files: string[] = []
  for (const card of heldTables) {
    if (areRowsDeleted(card, until)) files.push(...(await deleteRows(tx, card, keys)))
    else await clearColumns(tx, services, card, keys, until === null ? ['now', 'term'] : ['now'])
  }
  await withUntypedTables(tx)
    .updateTable('tenants')
    .set({ erased_at: services.clock.now() })
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }))
    .execute()
  return files
}

/**
 * Erases data that was kept for a term.
 * @returns keys of files to delete afterwards
 */
export async function eraseRetained(tx: Kysely<Tables>, services: Services, keys: TenantKeys): Promise<string[]> {
  const files: string[] = []
  for (const card of heldTables) {
    if (card.erasure === 'term') files.push(...(await deleteRows(tx, card, keys)))
    else if (card.kept) await clearColumns(tx, services, card, keys, ['term'])
  }
  return files
}

async function deleteRows(tx: Kysely<Tables>, card: HeldTable, keys: TenantKeys): Promise<string[]> {
  const files: string[] = []
  const { document } = card
  const filesOf = (row: Record<string, unknown>) => [
    String((document && row[document.key]) ?? ''),
    ...(card.files?.(row) ?? []),
  ]
  if (document || card.files) for await (const rows of readPages(tx, card, keys)) files.push(...rows.flatMap(filesOf))
  await withUntypedTables(tx).deleteFrom(card.table).where(card.rows(keys)).execute()
  return files.filter((key) => key !== '')
}

async function clearColumns(
  tx: Kysely<Tables>,
  services: Services,
  card: HeldTable,
  keys: TenantKeys,
  when: ('now' | 'term')[],
): Promise<void> {
  const values = Object.assign({}, ...when.map((each) => erasedValues(card, each)))
  if (Object.keys(values).length > 0)
    await withUntypedTables(tx).updateTable(card.table).set(values).where(card.rows(keys)).execute()
  const { by, rewrite } = card
  if (!rewrite || !by || !when.includes('now')) return
  for await (const rows of readPages(tx, card, keys))
    for (const row of rows)
      await withUntypedTables(tx).updateTable(card.table).set(rewrite(services, row)).where(by, '=', row[by]).execute()
}

/** Returns a filter for jobs whose payload names the tenant, or a lease, a reservation or another record of the tenant. */
async function loadJobFilter(tx: Kysely<Tables>, keys: TenantKeys): Promise<(payload: unknown) => boolean> {
  const ids = new Set<unknown>(keys.orderIds)
  if (keys.accountId !== null) ids.add(keys.accountId)
  for (const card of heldTables)
    if (card.by && /_id$|^uuid$/.test(card.by))
      for await (const rows of readPages(tx, card, keys)) for (const row of rows) ids.add(row[card.by])
  return (payload) => {
    const fields = isRecord(payload) ? payload : {}
    const isSameFacility = fields.locationCode === keys.locationCode
    if (isSameFacility && fields.tenantId === keys.tenantId) return true
    if (isSameFacility && keys.leaseNumbers.some((number) => number === fields.leaseNumber)) return true
    if (isSameFacility && keys.reservationCodes.some((code) => code === fields.reservationCode)) return true
    return Object.values(fields).some((value) => typeof value === 'string' && ids.has(value))
  }
}
