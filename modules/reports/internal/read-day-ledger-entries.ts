/**
 * Reads the ledger of a facility's day: posted entries, charges by lease, the rent that payments covered, and the
 * unearned part of charges.
 */

import { type Kysely, type NotNull, sql } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import type { EntryKind } from '../../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { chargeKinds, isChargeReversed } from '../../ledger/rules/ledger.ts'
import type { EntryAct } from '../../standing/rules/staff-ledger-act-names.ts'
import { type RentGroup, rentPaid, unearnedShare } from '../rules/aging.ts'

/** Maximum number of leases whose charges one statement loads. */
const LEASES_PER_STATEMENT = 400

/** Ledger entry that the snapshot of a facility's day counts. */
export interface DayEntry {
  lease_number: number
  kind: EntryKind
  cents: Cents
  description: string
  once: string
  order_id: string | null
  period_start: IsoDate | null
  period_end: IsoDate | null
  posted_on: IsoDate
  /** Office operation that wrote the entry; null for other entries. */
  act: EntryAct | null
}

const selectEntries = (db: Kysely<Tables>, locationCode: string) =>
  db
    .selectFrom('ledger_entries')
    .leftJoin('entry_reasons', 'entry_reasons.entry_id', 'ledger_entries.entry_id')
    .select(['lease_number', 'kind', 'cents', 'description', 'once', 'order_id'])
    .select(['period_start', 'period_end', 'posted_on', 'act'])
    .where('location_code', '=', locationCode)

/** Loads a facility's entries that were posted after one day, through another. */
export const loadEntriesOfDays = (
  db: Kysely<Tables>,
  locationCode: string,
  span: { after: IsoDate; through: IsoDate },
): Promise<DayEntry[]> =>
  selectEntries(db, locationCode)
    .where('posted_on', '>', span.after)
    .where('posted_on', '<=', span.through)
    .orderBy('posted_on')
    .execute()

/** Loads ledger entries that were posted to a day after its snapshot had been taken, as catch-up billing posts them. */
export const loadLatePostings = (
  db: Kysely<Tables>,
  locationCode: string,
  span: { through: IsoDate; since: number },
): Promise<DayEntry[]> =>
  selectEntries(db, locationCode).where('posted_on', '<=', span.through).where('created_at', '>=', span.since).execute()

/**
 * Sums the entries after a day by lease, in cents. A lease's balance less this sum is its balance at the end of the
 * day.
 */
export async function sumPostedAfter(
  db: Kysely<Tables>,
  locationCode: string,
  day: IsoDate,
): Promise<Map<number, Cents>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', eb.fn.sum<number>('cents').as('cents')])
    .where('location_code', '=', locationCode)
    .where('posted_on', '>', day)
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map((row) => [row.lease_number, Number(row.cents)]))
}

/** Charges of a lease for one period, or its charges of one day without a period, as of the end of a day. */
interface ChargeGroup extends RentGroup {
  /** Sum of the group's rent entries and the smallest of them, in cents; null for a group without rent. */
  rents: { sum: Cents; least: Cents } | null
}

export type Charges = ReadonlyMap<number, readonly ChargeGroup[]>

/** Loads the charges of leases through a day, by lease. */
export async function loadCharges(
  db: Kysely<Tables>,
  locationCode: string,
  leases: readonly number[],
  through: IsoDate,
): Promise<Charges> {
  const groups = new Map<number, ChargeGroup[]>()
  for (let from = 0; from < leases.length; from += LEASES_PER_STATEMENT) {
    const rows = await db
      .selectFrom('ledger_entries')
      .select((eb) => [
        'lease_number',
        eb.fn.coalesce('period_start', 'posted_on').as('start'),
        'period_end as end',
        eb.fn.sum<number>('cents').as('cents'),
        eb.fn.sum<number | null>('cents').filterWhere('kind', 'in', ['rent', 'discount']).as('net'),
        eb.fn.sum<number | null>('cents').filterWhere('kind', '=', 'rent').as('rent'),
        eb.fn.min<number | null>('cents').filterWhere('kind', '=', 'rent').as('least'),
      ])
      .where('location_code', '=', locationCode)
      .where('lease_number', 'in', leases.slice(from, from + LEASES_PER_STATEMENT))
      .where('kind', 'in', chargeKinds)
      .where('posted_on', '<=', through)
      .groupBy((eb) => ['lease_number', eb.fn.coalesce('period_start', 'posted_on'), 'period_end'])
      .execute()
    for (const { lease_number, start, end, cents, net, rent, least } of rows) {
      const leaseGroups = groups.get(lease_number) ?? []
      groups.set(lease_number, leaseGroups)
      leaseGroups.push({
        start,
        end,
        cents: Number(cents),
        rent: Number(net ?? 0),
        rents: rent === null ? null : { sum: Number(rent), least: Number(least) },
      })
    }
  }
  return groups
}

/** Returns the charge groups without the periods whose charge was reversed. */
export const withoutReversedPeriods = (groups: readonly ChargeGroup[]): ChargeGroup[] =>
  groups.filter(
    ({ end, rents }) => end === null || !isChargeReversed({ sum: rents?.sum ?? null, least: rents?.least ?? null }),
  )

/**
 * Returns the charge groups as they were without these entries. `rents` is not recomputed; groups that then sum to zero,
 * such as reversed charges, are left out instead.
 */
function withoutEntries(groups: readonly ChargeGroup[], entries: readonly DayEntry[]): ChargeGroup[] {
  const remaining = new Map(groups.map((group) => [`${group.start}:${group.end}`, { ...group }]))
  for (const { kind, cents, period_start, period_end, posted_on } of entries) {
    const group = remaining.get(`${period_start ?? posted_on}:${period_end}`)
    if (!group || !isOneOf(chargeKinds, kind)) continue
    group.cents -= cents
    if (kind === 'rent' || kind === 'discount') group.rent -= cents
  }
  return [...remaining.values()].filter(({ cents, rent }) => cents !== 0 || rent !== 0)
}

/**
 * Returns how much of the money in a day's ledger entries paid for rent, in cents, summed over the leases of the
 * entries.
 */
export function rentCollected(
  charges: Charges,
  entries: readonly DayEntry[],
  balanceOf: (leaseNumber: number) => Cents,
): Cents {
  let collected = 0
  for (const [leaseNumber, leaseEntries] of Map.groupBy(entries, (entry) => entry.lease_number)) {
    const groups = charges.get(leaseNumber) ?? []
    const sum = (list: readonly DayEntry[]) => list.reduce((all, { cents }) => all + cents, 0)
    const balance = balanceOf(leaseNumber)
    // Credits are not money, so they are taken out of the balance at the end of the day.
    const credits = sum(leaseEntries.filter(({ kind }) => kind === 'credit'))
    collected +=
      rentPaid(withoutReversedPeriods(groups), balance - credits) -
      rentPaid(withoutEntries(groups, leaseEntries), balance - sum(leaseEntries))
  }
  return collected
}

/** Sums the part of charges, without taxes, that is for days after `day`, over all leases of a facility, in cents. */
export async function loadUnearned(db: Kysely<Tables>, locationCode: string, day: IsoDate): Promise<Cents> {
  // Only rents have an index with `period_end`; the other charges of a period are posted with its rent.
  const { since } = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.min<IsoDate | null>('posted_on').as('since'))
    .where('location_code', '=', locationCode)
    .where(sql<boolean>`kind = 'rent'`)
    .where('period_end', '>', day)
    .executeTakeFirstOrThrow()
  if (since === null) return 0
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['period_start', 'period_end', eb.fn.sum<number>('cents').as('cents')])
    .where('location_code', '=', locationCode)
    .where('posted_on', '>=', since)
    .where('posted_on', '<=', day)
    .where('period_end', '>', day)
    .where('kind', 'in', ['rent', 'discount', 'insurance', 'fee'])
    .groupBy(['period_start', 'period_end'])
    .$narrowType<{ period_start: NotNull; period_end: NotNull }>()
    .execute()
  return rows.reduce((sum, row) => sum + unearnedShare(Number(row.cents), row.period_start, row.period_end, day), 0)
}
