/** Fees and periods that staff can choose when charging, waiving or crediting, and notes shown beside ledger entries. */
import type { Kysely, Selectable } from 'kysely'
import { reasonText } from '../../../domain/office/ledger-entry-reasons.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { LedgerEntriesTable, Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import type { LeaseKey } from '../../leases/lease.ts'
import { feesOf } from '../../pricing/rules/unit-type-fees.ts'
import type { Entry } from '../rules/ledger.ts'
import { isSingleFee, waiverKey } from '../rules/waiver.ts'

/** Returns the fees that staff may charge to a lease of this unit type, leaving out those that cost nothing. */
export const chargeableFees = (facts: FacilityFacts, unitTypeId: number) =>
  feesOf(facts, unitTypeId).filter(({ amount }) => amount > 0)

/**
 * Loads the ledger entries that belong to billing periods of a lease: of the one period that starts on `only`, or of
 * all that start on or after `from`.
 */
export async function loadPeriodEntries(
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  range: { only: IsoDate } | { from: IsoDate },
): Promise<Entry[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'cents', 'period_start', 'period_end', 'posted_on'])
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('period_end', 'is not', null)
    .where('period_start', 'only' in range ? '=' : '>=', 'only' in range ? range.only : range.from)
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    cents: row.cents,
    postedOn: row.posted_on,
    periodStart: row.period_start,
    periodEnd: row.period_end,
  }))
}

const MAX_FEES = 20

/** Returns a lease's single fees that are not waived, newest first; at most 20. */
export async function loadWaivableFees(
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<Selectable<LedgerEntriesTable>[]> {
  // Waivers are fee entries too, so this loads both.
  const entries = await db
    .selectFrom('ledger_entries')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number, kind: 'fee' }))
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .execute()
  const onceKeys = new Set(entries.map(({ once }) => once))
  return entries.filter((entry) => isFee(entry) && !onceKeys.has(waiverKey(entry.entry_id))).slice(0, MAX_FEES)
}

const isFee = ({ kind, cents, period_end }: Selectable<LedgerEntriesTable>): boolean =>
  isSingleFee({ kind, cents, periodEnd: period_end })

/**
 * Details shown beside a ledger entry: reason and author of a staff entry, and whether it is a fee that can be waived.
 */
export interface EntryNote {
  why: { text: string; by: string } | null
  waivable: boolean
}

/** Returns notes by entry id. Entries without a note are left out. */
export async function loadEntryNotes(
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  entries: readonly Selectable<LedgerEntriesTable>[],
): Promise<Map<string, EntryNote>> {
  if (entries.length === 0) return new Map()
  const fees = entries.filter(isFee)
  const [reasons, waivers] = await Promise.all([
    db
      .selectFrom('entry_reasons')
      .innerJoin('staff', 'staff.staff_id', 'entry_reasons.staff_id')
      .select(['entry_id', 'reason', 'note', 'staff.name'])
      .where(
        'entry_id',
        'in',
        entries.map((entry) => entry.entry_id),
      )
      .execute(),
    fees.length === 0
      ? []
      : db
          .selectFrom('ledger_entries')
          .select('once')
          .where((eb) => eb.and({ location_code, lease_number }))
          .where(
            'once',
            'in',
            fees.map((fee) => waiverKey(fee.entry_id)),
          )
          .execute(),
  ])
  const reasonByEntry = new Map(
    reasons.map((reason) => [reason.entry_id, { text: reasonText(reason.reason, reason.note), by: reason.name }]),
  )
  const waived = new Set(waivers.map(({ once }) => once))
  const waivableIds = new Set(fees.filter((fee) => !waived.has(waiverKey(fee.entry_id))).map((fee) => fee.entry_id))
  return new Map(
    entries
      .filter(({ entry_id }) => reasonByEntry.has(entry_id) || waivableIds.has(entry_id))
      .map(({ entry_id }) => [
        entry_id,
        { why: reasonByEntry.get(entry_id) ?? null, waivable: waivableIds.has(entry_id) },
      ]),
  )
}
