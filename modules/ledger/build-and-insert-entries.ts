/** Builds and inserts ledger entries. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { rowId } from '../../platform/database/generate-row-id.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import type { ChargeLine } from '../pricing/rules/charges.ts'
import { kindOfLine } from './lease-ledger-totals.ts'

/**
 * Builds the ledger entry for one line of a period's charge.
 * @param reversals how often the period's charge was reversed before (`reverseUnbegunPeriods`)
 */
export function periodEntry(
  line: ChargeLine,
  periodStart: IsoDate,
  reversals = 0,
): Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'> {
  const kind = kindOfLine[line.kind]
  const suffix = [line.taxOf, line.feeId].filter((part) => part !== undefined)
  return {
    kind,
    cents: line.cents,
    description: line.label,
    once: [periodKey(periodStart, reversals), kind, ...suffix].join(':'),
  }
}

const periodKey = (start: IsoDate, reversals: number) => `period:${start}${reversals > 0 ? `#${reversals + 1}` : ''}`

export type LedgerLine = Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'> & {
  orderId?: string | null
  /**
   * Period that the entry belongs to. With `end` null, the entry belongs to no period and counts for the day `start`
   * instead of its posting day.
   */
  period?: { start: IsoDate; end: IsoDate | null }
}

/** A ledger line with its lease. `billingRun` is the number of the facility's billing run that charges it. */
export type NewEntry = LedgerLine & { leaseNumber: number; billingRun?: number }

/** Maximum number of rows in one INSERT: thirteen values each, well below both databases' parameter limits. */
const ENTRIES_PER_STATEMENT = 500

/**
 * Inserts ledger entries for leases of a facility. Skips an entry whose `once` key its lease already has.
 * @returns number and sum of the new entries
 */
export async function insertEntriesForLeases(
  tx: Kysely<Tables>,
  services: Services,
  locationCode: string,
  postedOn: IsoDate,
  entries: readonly NewEntry[],
): Promise<{ count: number; cents: Cents }> {
  const added = { count: 0, cents: 0 }
  for (let from = 0; from < entries.length; from += ENTRIES_PER_STATEMENT) {
    const batch = entries.slice(from, from + ENTRIES_PER_STATEMENT)
    const rows = await insertEntries(tx, toLedgerRows(services, locationCode, postedOn, batch))
    added.count += rows.length
    added.cents += rows.reduce((sum, { cents }) => sum + cents, 0)
  }
  return added
}

/**
 * Inserts ledger rows. Skips a row whose `once` key its lease already has.
 * @returns the new rows
 */
export const insertEntries = (
  tx: Kysely<Tables>,
  rows: readonly LedgerEntriesTable[],
): Promise<{ entry_id: string; once: string; cents: Cents }[]> =>
  tx
    .insertInto('ledger_entries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['location_code', 'lease_number', 'once']).doNothing())
    .returning(['entry_id', 'once', 'cents'])
    .execute()

/** Builds the table rows of new ledger entries, created now and posted for the day `postedOn`. */
export function toLedgerRows(
  services: Services,
  locationCode: string,
  postedOn: IsoDate,
  entries: readonly NewEntry[],
): LedgerEntriesTable[] {
  const now = services.clock.now()
  return entries.map(({ orderId, period, leaseNumber, billingRun, ...entry }) => ({
    entry_id: rowId(services),
    location_code: locationCode,
    lease_number: leaseNumber,
    kind: entry.kind,
    cents: entry.cents,
    description: entry.description,
    once: entry.once,
    order_id: orderId ?? null,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    posted_on: postedOn,
    created_at: now,
    billing_run: billingRun ?? null,
  }))
}

/**
 * Inserts ledger entries for one lease. Skips an entry whose `once` key the lease already has.
 * @returns number of new entries
 */
export const addEntries = async (
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey,
  postedOn: IsoDate,
  entries: readonly LedgerLine[],
): Promise<number> => {
  const leaseEntries = entries.map((entry) => ({ ...entry, leaseNumber: lease.lease_number }))
  return (await insertEntriesForLeases(tx, services, lease.location_code, postedOn, leaseEntries)).count
}
