/** Reads rent change batches and their rows for the office pages. */

import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadStaffNames } from '../../staff/staff-members.ts'
import { loadRentRows, type RentRow } from './rent-change-rows.ts'

/** Facilities whose rent changes are loaded: location codes, or 'all'. */
export type FacilityCodes = 'all' | readonly string[]

/** A batch of rent changes that were proposed together. */
export interface RentBatch {
  batchId: string
  proposedAt: Instant
  by: string
  byId: string
  reason: string
  wantedFrom: IsoDate | null
  leases: number
  facilities: number
  /** Sum of the period rents before the change, in cents; `after` is the sum of the new rents. */
  before: Cents
  after: Cents
  /** Number of changes in each group of states. */
  states: Record<'waiting' | 'announced' | 'applied' | 'ended', number>
}

const PAGE_SIZE = 50

const countIn = (states: readonly string[]) =>
  sql<number>`sum(case when state in (${sql.join(states.map((state) => sql.lit(state)))}) then 1 else 0 end)`

async function loadBatches(db: Kysely<Tables>, ids: readonly string[], codes: FacilityCodes): Promise<RentBatch[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('rent_changes')
    .select((eb) => [
      'batch_id',
      'proposed_at',
      'proposed_by',
      'reason',
      'wanted_from',
      eb.fn.countAll().as('leases'),
      eb.fn.count('location_code').distinct().as('facilities'),
      eb.fn.sum<number>('old_rent').as('before'),
      eb.fn.sum<number>('new_rent').as('after'),
      countIn(['proposed']).as('waiting'),
      countIn(['approved', 'coming']).as('announced'),
      countIn(['applied']).as('applied'),
      countIn(['refused', 'cancelled', 'stale', 'lapsed']).as('ended'),
    ])
    .where('batch_id', 'in', ids)
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .groupBy(['batch_id', 'proposed_at', 'proposed_by', 'reason', 'wanted_from'])
    .execute()
  const names = await loadStaffNames(
    db,
    rows.map((row) => row.proposed_by),
  )
  const batches = rows.map((row) => ({
    batchId: row.batch_id,
    proposedAt: row.proposed_at,
    reason: row.reason,
    wantedFrom: row.wanted_from,
    by: names.get(row.proposed_by) ?? '',
    byId: row.proposed_by,
    leases: Number(row.leases),
    facilities: Number(row.facilities),
    before: Number(row.before),
    after: Number(row.after),
    states: {
      waiting: Number(row.waiting),
      announced: Number(row.announced),
      applied: Number(row.applied),
      ended: Number(row.ended),
    },
  }))
  return batches.sort((a, b) => ids.indexOf(a.batchId) - ids.indexOf(b.batchId))
}

/** Returns batches with undecided proposals, oldest first, at most 50. */
export async function loadUndecidedBatches(services: Pick<Services, 'db'>, codes: FacilityCodes): Promise<RentBatch[]> {
  const { read } = services.db
  const batchKeys = await read
    .selectFrom('rent_changes')
    .select(['batch_id', 'proposed_at'])
    .distinct()
    // The state is a literal, because a bound parameter would keep the database from using the index.
    .where(sql<SqlBool>`state = 'proposed'`)
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .orderBy('proposed_at')
    .orderBy('batch_id')
    .limit(PAGE_SIZE)
    .execute()
  return loadBatches(
    read,
    batchKeys.map((row) => row.batch_id),
    codes,
  )
}

/**
 * Returns a page of batches without undecided proposals, newest first. A page may have fewer than 50, since batches
 * with undecided proposals are left out of the 50 that are read.
 * @param before `next` of the previous page; null for the first page
 */
export async function loadDecidedBatches(
  services: Pick<Services, 'db'>,
  codes: FacilityCodes,
  before: string | null,
): Promise<{ batches: RentBatch[]; next: string | null }> {
  const { read } = services.db
  const [, at, lastBatch = ''] = /^(\d{1,15})~([\w-]{1,40})$/.exec(before ?? '') ?? []
  const batchKeys = await read
    .selectFrom('rent_changes')
    .select(['batch_id', 'proposed_at'])
    .distinct()
    .$call(
      optionalCondition(at, (query, lastAt) =>
        query
          .where('proposed_at', '<=', Number(lastAt))
          .where((eb) => eb.or([eb('proposed_at', '<', Number(lastAt)), eb('batch_id', '>', lastBatch)])),
      ),
    )
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .orderBy('proposed_at', 'desc')
    .orderBy('batch_id')
    .limit(PAGE_SIZE + 1)
    .execute()
  const pageRows = batchKeys.slice(0, PAGE_SIZE)
  const batches = await loadBatches(
    read,
    pageRows.map((row) => row.batch_id),
    codes,
  )
  const last = pageRows.at(-1)
  return {
    batches: batches.filter(({ states }) => states.waiting === 0),
    next: batchKeys.length > PAGE_SIZE && last ? `${last.proposed_at}~${last.batch_id}` : null,
  }
}

export interface RentBatchPage {
  batch: RentBatch
  rows: RentRow[]
  /** Cursor of the next page; null on the last page. */
  next: string | null
}

/**
 * Returns a batch with at most 50 of its changes, ordered by facility and lease; null for a batch without changes at
 * the facilities.
 * @param after cursor such as 'ATL01:10001', the previous page's last row; null for the first page
 */
export async function loadRentBatch(
  services: Services,
  batchId: string,
  codes: FacilityCodes,
  after: string | null,
): Promise<RentBatchPage | null> {
  const { read } = services.db
  const [batch] = await loadBatches(read, [batchId], codes)
  if (!batch) return null
  const [, facility, number] = /^([\w-]{1,20}):(\d{1,15})$/.exec(after ?? '') ?? []
  const changes = await read
    .selectFrom('rent_changes')
    .selectAll()
    .where('batch_id', '=', batchId)
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .$if(facility !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('location_code', '>', facility ?? ''),
          eb.and([eb('location_code', '=', facility ?? ''), eb('lease_number', '>', Number(number))]),
        ]),
      ),
    )
    .orderBy('location_code')
    .orderBy('lease_number')
    .limit(PAGE_SIZE + 1)
    .execute()
  const pageChanges = changes.slice(0, PAGE_SIZE)
  const last = pageChanges.at(-1)
  return {
    batch,
    rows: await loadRentRows(services, pageChanges),
    next: changes.length > PAGE_SIZE && last ? `${last.location_code}:${last.lease_number}` : null,
  }
}
