/** Declares the form of reports that list units or leases, and loads and sums what these reports share. */

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Roll, RollLease, RollUnit } from '../compress-rent-roll.ts'
import { loadStoredRoll } from '../load-stored-rent-roll.ts'
import type { ReportCheck, ReportColumn, ReportFigure, ReportRow, ReportView } from '../rules/report-format.ts'
import type { ReportDescription } from './build-report-of-daily-figures.ts'
import { figureTable, type SumColumn } from './figure-table.ts'
import {
  closingFigure,
  loadDayInProgress,
  loadFigures,
  missingDays,
  type ReportFacility,
  type ReportQuery,
  type Sums,
  sumOfFlow,
} from './read-snapshot-figures.ts'

/** A row of a list with the page that it links to. */
export interface LinkedRow {
  row: ReportRow
  /** Address of the row's link; null for none. */
  link: string | null
}

const flows = ['move_ins', 'move_outs'] as const
/** Figures that the sums of list reports are computed from. */
const figures = [
  'units',
  'units_rented',
  'rent',
  'street',
  'balances',
  'leases_owing',
  'leases_overlocked',
  'owed_30',
  'owed_60',
  'owed_90',
  'owed_91',
  'credits',
  'closed_owed',
  'closed_credits',
  ...flows,
] as const
export type ListFigureName = (typeof figures)[number]

/**
 * A report that lists units or leases. For several facilities the page shows sums, and the downloaded file all rows.
 */
export interface ListReport extends ReportDescription {
  columns: readonly ReportColumn[]
  /** Loads a facility's rows, as of the end of the last day or over the span; null when the day has no snapshot. */
  rows(services: Services, place: ReportFacility, span: { from: IsoDate; to: IsoDate }): Promise<LinkedRow[] | null>
  /** Figures and check above a facility's rows. */
  head?(rows: readonly LinkedRow[]): Pick<ReportView, 'figures' | 'check'>
  /** Title of a separate table below the other rows, and function that returns whether a row belongs there. */
  separateTable?: { title: string; includes(row: ReportRow): boolean }
  /** Columns of the sums by facility, computed from snapshots. */
  sums: readonly SumColumn<ListFigureName>[]
  check?(sums: Sums<ListFigureName>): ReportCheck
  /** True if `sums` has flows alone, which are known also of a missed day. */
  missed?: true
  /** True for a report to be printed: its table has the facility's name as title and more rows on a page. */
  printed?: true
}

/** Returns the sum of the debts of all ages, in cents. */
export const owedOf = (sums: Sums<ListFigureName>) => sums.owed_30 + sums.owed_60 + sums.owed_90 + sums.owed_91

/** Loads the sums of a list report, in total and by facility. Each facility's row links to that facility's list. */
export async function loadListSums(
  services: Services,
  { sums, check, missed }: ListReport,
  query: ReportQuery,
): Promise<ReportView> {
  const read = await loadFigures(services, query, figures, { missed })
  const totalSums: Sums<ListFigureName> = recordOf(figures, (figure) => closingFigure(read, figure))
  for (const figure of flows) totalSums[figure] = sumOfFlow(read, figure)
  const totals = Object.fromEntries(sums.map(({ key, cell }) => [key, cell(totalSums, totalSums)]))
  return {
    figures: [],
    check: check?.(totalSums),
    tables: [figureTable(query, read, sums, totals)],
    notes: missingDays(query, read),
  }
}

/**
 * Loads the rent roll at the end of a day, or the current roll for a day that has not ended; null when an ended day has
 * no snapshot.
 */
export async function loadRollOfDay(services: Services, place: ReportFacility, day: IsoDate): Promise<Roll | null> {
  if (day >= todayIn(place.timeZone, services.clock.now()))
    return (await loadDayInProgress(services, place))?.roll ?? null
  const stored = await loadStoredRoll(services.db.read, place.code, day)
  return stored?.day === day ? stored.roll : null
}

const TENANTS_PER_STATEMENT = 200

/** Loads the tenants' current names by tenant id, such as 'Byrne, Ada (Acme)', since snapshots contain none. */
export async function loadTenantNames(
  db: Kysely<Tables>,
  locationCode: string,
  tenants: readonly number[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (let from = 0; from < tenants.length; from += TENANTS_PER_STATEMENT) {
    // SQLite responds within the same tick, so a file of all facilities would block requests until it is complete.
    await yieldToOthers()
    const batch = tenants.slice(from, from + TENANTS_PER_STATEMENT)
    // With the same number of values in each statement the database reuses the prepared one.
    const tenantIds = [...batch, ...Array(TENANTS_PER_STATEMENT - batch.length).fill(batch[0])]
    const rows = await db
      .selectFrom('tenants')
      .select(['tenant_id', 'first', 'last', 'company'])
      .where('location_code', '=', locationCode)
      .where('tenant_id', 'in', tenantIds)
      .execute()
    for (const { tenant_id, first, last, company } of rows)
      names.set(tenant_id, `${last}, ${first}${company ? ` (${company})` : ''}`)
  }
  return names
}

/** Returns the path of a lease's page in the office. */
export const leaseLink = (code: string, lease: Pick<RollLease, 'tenantId' | 'leaseNumber'>): string =>
  `/office/tenants/${code}/${lease.tenantId}/leases/${lease.leaseNumber}`

/** Loads the units of a day's rent roll and their tenants' names, by tenant id; null when the day has no snapshot. */
export async function loadRollWithNames(
  services: Services,
  place: ReportFacility,
  day: IsoDate,
): Promise<{ units: RollUnit[]; names: ReadonlyMap<number, string> } | null> {
  const roll = await loadRollOfDay(services, place, day)
  if (!roll) return null
  const tenants = roll.units.flatMap(({ lease }) => (lease ? [lease.tenantId] : []))
  return { units: roll.units, names: await loadTenantNames(services.db.read, place.code, tenants) }
}

export const unitColumn: ReportColumn = { key: 'unit', label: 'Unit', as: 'text' }

/** Returns the sum of a column over rows, in cents. */
export const sumOfColumn = (rows: readonly LinkedRow[], key: string): Cents =>
  rows.reduce((sum, { row }) => sum + Number(row[key] ?? 0), 0)

export const countOf = (rows: readonly LinkedRow[], matches: (row: ReportRow) => boolean): number =>
  rows.filter(({ row }) => matches(row)).length

/**
 * Builds a report figure that is the sum of a column of amounts, in cents.
 * @param explanation text beside the figure
 */
export const centsOf = (
  rows: readonly LinkedRow[],
  label: string,
  key: string,
  explanation?: string,
): ReportFigure => ({
  label,
  value: sumOfColumn(rows, key),
  as: 'cents',
  explanation,
})
