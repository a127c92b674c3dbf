/** Reads rent change batches and their rows for the office pages. */
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Instant } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { whenGiven } from '../../../platform/database/when-given.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { grantAt } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type FacilityFacts, facilityFacts } from '../../facilities/facts.ts'
import { sizeLabel } from '../../facilities/rules/unit-type.ts'
import type { Lease } from '../../leases/lease.ts'
import { leaseFeesOf } from '../../leases/lease-fees.ts'
import { leasesWithTenant } from '../../leases/lease-queries.ts'
import { leasePeriod } from '../../ledger/period-price.ts'
import { chargedThrough } from '../../ledger/totals.ts'
import { type ComingRent, type PeriodCharges, periodCharges } from '../../pricing/rules/charges.ts'
import { personById } from '../../staff/people.ts'
import { chargedThroughOf, openStates, type RentChange, rentsOf } from '../eligible-leases.ts'
import { daysSince, firstPeriodFrom, notBefore } from '../rules/rent-change.ts'

/** Facilities whose changes are read: location codes, or 'all'. */
export type Codes = 'all' | readonly string[]

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

const PAGE = 50

const countIn = (states: readonly string[]) =>
  sql<number>`sum(case when state in (${sql.join(states.map((one) => sql.lit(one)))}) then 1 else 0 end)`

async function batchesNamed(db: Kysely<Tables>, ids: readonly string[], codes: Codes): Promise<RentBatch[]> {
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
    .$call(whenGiven(codes === 'all' ? null : codes, (query, some) => query.where('location_code', 'in', some)))
    .groupBy(['batch_id', 'proposed_at', 'proposed_by', 'reason', 'wanted_from'])
    .execute()
  const names = await namesOf(
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

async function namesOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, string>> {
  const people = await Promise.all([...new Set(ids)].map((id) => personById(db, id)))
  return new Map(people.flatMap((one) => (one ? [[one.staffId, one.name] as const] : [])))
}

/** Returns batches with undecided proposals, oldest first, at most 50. */
export async function waitingBatches(services: Pick<Services, 'db'>, codes: Codes): Promise<RentBatch[]> {
  const { read } = services.db
  const ids = await read
    .selectFrom('rent_changes')
    .select(['batch_id', 'proposed_at'])
    .distinct()
    // A literal, because a bound parameter would keep the database from using the index.
    .where(sql<SqlBool>`state = 'proposed'`)
    .$call(whenGiven(codes === 'all' ? null : codes, (query, some) => query.where('location_code', 'in', some)))
    .orderBy('proposed_at')
    .orderBy('batch_id')
    .limit(PAGE)
    .execute()
  return batchesNamed(
    read,
    ids.map((row) => row.batch_id),
    codes,
  )
}

/**
 * Returns batches without undecided proposals, newest first.
 * @param before `next` of the previous page
 */
export async function decidedBatches(
  services: Pick<Services, 'db'>,
  codes: Codes,
  before: Instant | null,
): Promise<{ batches: RentBatch[]; next: Instant | null }> {
  const { read } = services.db
  const ids = await read
    .selectFrom('rent_changes')
    .select(['batch_id', 'proposed_at'])
    .distinct()
    .$if(before !== null, (query) => query.where('proposed_at', '<', before ?? 0))
    .$call(whenGiven(codes === 'all' ? null : codes, (query, some) => query.where('location_code', 'in', some)))
    .orderBy('proposed_at', 'desc')
    .orderBy('batch_id')
    .limit(PAGE + 1)
    .execute()
  const shown = ids.slice(0, PAGE)
  const batches = await batchesNamed(
    read,
    shown.map((row) => row.batch_id),
    codes,
  )
  return {
    batches: batches.filter(({ states }) => states.waiting === 0),
    next: ids.length > PAGE ? (shown.at(-1)?.proposed_at ?? null) : null,
  }
}

/** Returns a batch's proposed or announced changes at facilities where the staff member approves rents. */
export async function changesToDecide(
  db: Kysely<Tables>,
  caller: StaffCaller,
  batchId: string,
  which: 'proposed' | 'announced',
): Promise<RentChange[]> {
  const rows = await db
    .selectFrom('rent_changes')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('state', 'in', which === 'proposed' ? ['proposed'] : ['approved', 'coming'])
    .orderBy('location_code')
    .orderBy('lease_number')
    .execute()
  return rows.filter((row) => grantAt(caller, 'rent.approve', row.location_code) === 'yes')
}

export interface RentRow {
  changeId: string
  locationCode: string
  tenantId: number
  leaseNumber: number
  unitNumber: string
  tenant: string
  before: Cents
  after: Cents
  /** Street rate of the unit type, in cents; null when the type no longer exists. */
  streetRate: Cents | null
  /** Days since the last change, or since move-in. */
  daysSince: number
  state: RentChange['state']
  /** Day on which the notice was sent, or today when it is not sent yet; null for a decrease. */
  noticeOn: IsoDate | null
  noticeSent: boolean
  /** First day of the first period at the new rent, as of now; null when the change never applies. */
  from: IsoDate | null
}

export interface RentBatchPage {
  batch: RentBatch
  rows: RentRow[]
  /** Cursor of the next page; null on the last one. */
  next: string | null
}

/**
 * Returns a batch with 50 of its changes, ordered by facility and lease.
 * @param after cursor such as 'ATL01:10001', the previous page's last row
 */
export async function rentBatch(
  services: Services,
  batchId: string,
  codes: Codes,
  after: string | null,
): Promise<RentBatchPage | null> {
  const { read } = services.db
  const [batch] = await batchesNamed(read, [batchId], codes)
  if (!batch) return null
  const [, place, number] = /^([\w-]{1,20}):(\d{1,15})$/.exec(after ?? '') ?? []
  const changes = await read
    .selectFrom('rent_changes')
    .selectAll()
    .where('batch_id', '=', batchId)
    .$call(whenGiven(codes === 'all' ? null : codes, (query, some) => query.where('location_code', 'in', some)))
    .$if(place !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('location_code', '>', place ?? ''),
          eb.and([eb('location_code', '=', place ?? ''), eb('lease_number', '>', Number(number))]),
        ]),
      ),
    )
    .orderBy('location_code')
    .orderBy('lease_number')
    .limit(PAGE + 1)
    .execute()
  const shown = changes.slice(0, PAGE)
  const last = shown.at(-1)
  return {
    batch,
    rows: await rowsOf(services, shown),
    next: changes.length > PAGE && last ? `${last.location_code}:${last.lease_number}` : null,
  }
}

async function rowsOf(services: Services, changes: readonly RentChange[]): Promise<RentRow[]> {
  const { read } = services.db
  const rows: RentRow[] = []
  for (const [locationCode, here] of Map.groupBy(changes, (one) => one.location_code)) {
    const numbers = here.map((one) => one.lease_number)
    const leases = await leasesWithTenant(read)
      .select([
        'lease_number',
        'unit_number',
        'unit_type_id',
        'move_in_date',
        'paid_through',
        'first',
        'last',
        'company',
      ])
      .where('leases.location_code', '=', locationCode)
      .where('lease_number', 'in', numbers)
      .execute()
    const [facts, charged, changed] = await Promise.all([
      facilityFacts(services, [locationCode]),
      chargedThroughOf(read, locationCode, leases),
      lastChanges(read, locationCode, numbers),
    ])
    const byNumber = new Map(leases.map((lease) => [lease.lease_number, lease]))
    for (const change of here) {
      const lease = byNumber.get(change.lease_number)
      const place = facts.get(locationCode)
      if (!lease || !place) continue
      const since = changed.get(change.lease_number) ?? lease.move_in_date
      rows.push({
        changeId: change.change_id,
        locationCode,
        tenantId: change.tenant_id,
        leaseNumber: change.lease_number,
        unitNumber: lease.unit_number,
        tenant: lease.company || `${lease.first} ${lease.last}`,
        before: change.old_rent,
        after: change.new_rent,
        state: change.state,
        streetRate: place.unitTypes.find((type) => type.unit_type_id === lease.unit_type_id)?.rent ?? null,
        daysSince: daysSince(since, place.today),
        ...whenOf(change, place.today, charged.get(change.lease_number) ?? lease.paid_through),
      })
    }
  }
  return rows
}

/** Returns the first day of each lease's last applied change, by lease number. */
async function lastChanges(db: Kysely<Tables>, locationCode: string, numbers: readonly number[] | null) {
  const rows = await db
    .selectFrom('rent_changes')
    .select((eb) => ['lease_number', eb.fn.max('applied_from').as('from')])
    .where('location_code', '=', locationCode)
    .$if(numbers !== null, (query) => query.where('lease_number', 'in', numbers ?? []))
    .where('state', '=', 'applied')
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map((row) => [row.lease_number, row.from]))
}

function whenOf(
  change: RentChange,
  today: IsoDate,
  charged: IsoDate,
): Pick<RentRow, 'noticeOn' | 'noticeSent' | 'from'> {
  const noticeSent = change.notice_on !== null
  const noticeOn = change.notice_on ?? (change.new_rent > change.old_rent ? today : null)
  if (change.state === 'applied') return { noticeOn: change.notice_on, noticeSent, from: change.applied_from }
  if (!(openStates as readonly string[]).includes(change.state))
    return { noticeOn: change.notice_on, noticeSent, from: null }
  const earliest = change.not_before ?? notBefore(rentsOf(change), today)
  return { noticeOn, noticeSent, from: firstPeriodFrom(charged, earliest) }
}

export interface RentHistory extends RentRow {
  by: string
  at: Instant
  reason: string
}

/** Returns a lease's rent changes, newest first, at most 50. */
export async function rentChangesOf(
  services: Services,
  of: { location_code: string; lease_number: number },
): Promise<RentHistory[]> {
  const { read } = services.db
  const changes = await read
    .selectFrom('rent_changes')
    .selectAll()
    .where((eb) => eb.and({ location_code: of.location_code, lease_number: of.lease_number }))
    .orderBy('proposed_at', 'desc')
    .limit(PAGE)
    .execute()
  const [rows, names] = await Promise.all([
    rowsOf(services, changes),
    namesOf(
      read,
      changes.map((change) => change.proposed_by),
    ),
  ])
  return rows.flatMap((row, at) => {
    const change = changes[at]
    return change
      ? [{ ...row, by: names.get(change.proposed_by) ?? '', at: change.proposed_at, reason: change.reason }]
      : []
  })
}

/** Effect of a proposed rent, computed by the functions that charge it. */
export interface RentPreview {
  from: IsoDate
  /** Charges of a period at the current rent, with taxes and fees. `later` is at the new rent. */
  today: Pick<PeriodCharges, 'lines' | 'total'>
  later: Pick<PeriodCharges, 'lines' | 'total'>
}

/**
 * Computes the effect of a new rent whose notice is sent today.
 * @param newRent in cents
 */
export async function previewRent(
  services: Services,
  facts: FacilityFacts,
  lease: Lease,
  { newRent, wantedFrom }: { newRent: Cents; wantedFrom: IsoDate | null },
): Promise<RentPreview> {
  const [fees, charged] = await Promise.all([
    leaseFeesOf(services.db.read, lease.location_code, lease.lease_number),
    chargedThrough(services.db.read, lease),
  ])
  const from = firstPeriodFrom(charged, notBefore({ oldRent: lease.rent, newRent, wantedFrom }, facts.today))
  const period = leasePeriod(facts, lease, fees, null)
  const coming: ComingRent = { rent: newRent, from }
  return {
    from,
    today: periodCharges({ ...period, coming: null }),
    later: periodCharges({ ...period, coming, periodStart: from }),
  }
}

export interface RentNow {
  leaseNumber: number
  unitNumber: string
  /** Size label, such as '10×10'. */
  size: string
  movedIn: IsoDate
  lastChange: IsoDate | null
  streetRate: Cents | null
  rent: Cents
}

/** Returns the open leases of a facility with their rents, ordered by unit number. */
export async function rentsAt(services: Services, locationCode: string): Promise<RentNow[]> {
  const { read } = services.db
  const place = (await facilityFacts(services, [locationCode])).get(locationCode)
  const leases = await read
    .selectFrom('leases')
    .select(['lease_number', 'unit_number', 'unit_type_id', 'move_in_date', 'rent'])
    .where('location_code', '=', locationCode)
    .where('status', '!=', 'Closed')
    .execute()
  const changed = await lastChanges(read, locationCode, null)
  const byUnit = new Intl.Collator('en-US', { numeric: true })
  return leases
    .map((lease) => {
      const type = place?.unitTypes.find((one) => one.unit_type_id === lease.unit_type_id)
      return {
        leaseNumber: lease.lease_number,
        unitNumber: lease.unit_number,
        rent: lease.rent,
        movedIn: lease.move_in_date,
        lastChange: changed.get(lease.lease_number) ?? null,
        size: type ? sizeLabel(type) : '',
        streetRate: type?.rent ?? null,
      }
    })
    .sort((a, b) => byUnit.compare(a.unitNumber, b.unitNumber))
}
