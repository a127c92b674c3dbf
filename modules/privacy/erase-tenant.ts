/**
 * Erases a tenant's data as `heldTables` lists them, in one transaction. Files, and records kept for a term, are erased
 * later.
 */

import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { deleteJobsAbout } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { erasedValues, type HeldTable } from './data-inventory/held-table.ts'
import { heldTables } from './data-inventory/index.ts'
import { countRows, readPages } from './read-tenant-rows.ts'
import type { PrivacyTerms } from './rules/retention-terms.ts'
import { type TenantKeys, withoutShared } from './tenant-record-ids.ts'

/** What an erasure deletes and keeps. */
export interface ErasurePlan {
  goes: { name: string; rows: number }[]
  /** `until`: null if kept as long as the ledger. */
  stays: { name: string; rows: number; why: string; until: IsoDate | null }[]
  /** Last day of the retention term; null if nothing is kept for a term. */
  keptUntil: IsoDate | null
}

/**
 * Returns the last day of the legal retention of agreements and authorizations; null if there was neither lease nor
 * payment.
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

/** Returns what an erasure would delete and keep, with the reason and the day until which it is kept. */
export async function planErasure(
  db: Kysely<Tables>,
  shared: TenantKeys,
  terms: PrivacyTerms,
  now: Instant,
): Promise<ErasurePlan> {
  const keys = withoutShared(shared)
  const until = await loadRetentionEnd(db, keys, terms, now)
  const counted = await Promise.all(heldTables.map(async (one) => ({ one, rows: await countRows(db, one, keys) })))
  const there = counted.filter(({ rows }) => rows > 0)
  const changes = (one: HeldTable) =>
    Object.keys(erasedValues(one, 'now')).length > 0 || one.rewrite !== undefined || isWhole(one, until)
  return {
    keptUntil: until,
    goes: there
      .filter(({ one }) => changes(one))
      .map(({ one, rows }) => ({ rows, name: isWhole(one, until) ? one.name : `${one.name}: what is personal` })),
    stays: there
      .filter(({ one }) => !isWhole(one, until))
      .map(({ one, rows }) => ({
        name: one.name,
        rows,
        why: one.why ?? '',
        until: one.erasure === 'term' || one.kept ? until : null,
      })),
  }
}

const isWhole = (one: HeldTable, until: IsoDate | null): boolean =>
  one.erasure === 'rows' || (one.erasure === 'term' && until === null)

/**
 * Erases all of a tenant's data that is not kept for a term. Idempotent.
 * @returns keys of files to delete afterwards
 */
export async function eraseNow(
  tx: Kysely<Tables>,
  services: Services,
  shared: TenantKeys,
  until: IsoDate | null,
): Promise<string[]> {
  const keys = withoutShared(shared)
  await deleteJobsAbout(tx, await isAbout(tx, keys))
  const files: string[] = []
  for (const one of heldTables) {
    if (isWhole(one, until)) files.push(...(await deleteRows(tx, one, keys)))
    else await clearColumns(tx, services, one, keys, until === null ? ['now', 'term'] : ['now'])
  }
  await tx
    .updateTable('tenants' as never)
    .set({ erased_at: services.clock.now() } as never)
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId } as never))
    .execute()
  return files
}

/** Erases records that were kept for a term. @returns keys of files to delete afterwards */
export async function eraseRetained(tx: Kysely<Tables>, services: Services, keys: TenantKeys): Promise<string[]> {
  const files: string[] = []
  for (const one of heldTables) {
    if (one.erasure === 'term') files.push(...(await deleteRows(tx, one, keys)))
    else if (one.kept) await clearColumns(tx, services, one, keys, ['term'])
  }
  return files
}

// biome-ignore lint/suspicious/noExplicitAny: one statement for every table of the list
const changing = (tx: Kysely<Tables>): any => tx

async function deleteRows(tx: Kysely<Tables>, one: HeldTable, keys: TenantKeys): Promise<string[]> {
  const files: string[] = []
  const { document } = one
  if (document || one.files)
    for await (const rows of readPages(tx, one, keys))
      for (const row of rows) {
        if (document) files.push(String(row[document.key]))
        if (one.files) files.push(...one.files(row as never))
      }
  await changing(tx).deleteFrom(one.table).where(one.rows(keys)).execute()
  return files.filter((key) => key !== '')
}

async function clearColumns(
  tx: Kysely<Tables>,
  services: Services,
  one: HeldTable,
  keys: TenantKeys,
  when: ('now' | 'term')[],
): Promise<void> {
  const values = Object.assign({}, ...when.map((each) => erasedValues(one, each)))
  if (Object.keys(values).length > 0)
    await changing(tx).updateTable(one.table).set(values).where(one.rows(keys)).execute()
  const { by, rewrite } = one
  if (!rewrite || !by || !when.includes('now')) return
  for await (const rows of readPages(tx, one, keys))
    for (const row of rows)
      await changing(tx)
        .updateTable(one.table)
        .set(rewrite(services, row as never))
        .where(by, '=', row[by])
        .execute()
}

/** Returns a test for whether a job's payload names the tenant by any id that mails use. */
async function isAbout(tx: Kysely<Tables>, keys: TenantKeys): Promise<(payload: unknown) => boolean> {
  const named = new Set<unknown>(keys.orderIds)
  if (keys.accountId !== null) named.add(keys.accountId)
  for (const one of heldTables)
    if (one.by && /_id$|^uuid$/.test(one.by))
      for await (const rows of readPages(tx, one, keys)) for (const row of rows) named.add(row[one.by])
  return (payload) => {
    const of = isRecord(payload) ? payload : {}
    const here = of.locationCode === keys.locationCode
    if (here && of.tenantId === keys.tenantId) return true
    if (here && keys.leaseNumbers.includes(of.leaseNumber as number)) return true
    if (here && keys.reservationCodes.includes(of.reservationCode as string)) return true
    return Object.values(of).some((value) => typeof value === 'string' && named.has(value))
  }
}
