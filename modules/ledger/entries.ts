/** Entries are added and never changed; paid-through, status and auction flag follow them here and nowhere else (I4). */
import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { rowId } from '../../platform/database/row-id.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import type { ChargeLine } from '../pricing/rules/charges.ts'
import { kindOfLine } from './totals.ts'

/** @param again how often the period's charge was reversed before (`reverseUnbegunPeriods`) */
export function periodEntry(
  line: ChargeLine,
  periodStart: IsoDate,
  again = 0,
): Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'> {
  const kind = kindOfLine[line.kind]
  const which = [line.taxOf, line.feeId].filter((part) => part !== undefined)
  return {
    kind,
    cents: line.cents,
    description: line.label,
    once: [periodKey(periodStart, again), kind, ...which].join(':'),
  }
}

const periodKey = (start: IsoDate, again: number) => `period:${start}${again > 0 ? `#${again + 1}` : ''}`

export type LedgerLine = Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'> & {
  orderId?: string | null
  /** `end` null: a single charge that counts for another day than that of its posting. */
  period?: { start: IsoDate; end: IsoDate | null }
}

/** `billingRun`: the number of the run that charges it, at its facility. */
export type NewEntry = LedgerLine & { leaseNumber: number; billingRun?: number }

/** Twelve values each, well below what either engine takes in a statement. */
const ENTRIES_A_STATEMENT = 500

/** Adds entries of a facility's leases; one whose `once` its lease has already is left as it stands. @returns how many were new */
export async function addEntriesOf(
  tx: Kysely<Tables>,
  services: Services,
  locationCode: string,
  postedOn: IsoDate,
  entries: readonly NewEntry[],
): Promise<number> {
  let added = 0
  for (let from = 0; from < entries.length; from += ENTRIES_A_STATEMENT) {
    const some = entries.slice(from, from + ENTRIES_A_STATEMENT)
    added += (await insertEntries(tx, rowsOf(services, locationCode, postedOn, some))).length
  }
  return added
}

/** @returns those that were new */
export const insertEntries = (
  tx: Kysely<Tables>,
  rows: readonly LedgerEntriesTable[],
): Promise<{ entry_id: string; once: string }[]> =>
  tx
    .insertInto('ledger_entries')
    .values(rows)
    .onConflict((known) => known.columns(['location_code', 'lease_number', 'once']).doNothing())
    .returning(['entry_id', 'once'])
    .execute()

export function rowsOf(
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

export const addEntries = (
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey,
  postedOn: IsoDate,
  entries: readonly LedgerLine[],
): Promise<number> =>
  addEntriesOf(
    tx,
    services,
    lease.location_code,
    postedOn,
    entries.map((entry) => ({ ...entry, leaseNumber: lease.lease_number })),
  )
