/** Computes the ledger entries that move money for unused days, and other credit, from an old lease to a new one. */
import type { Kysely, Selectable } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import { loadLeaseFees } from '../../leases/load-and-add-recurring-lease-fees.ts'
import { balance } from '../../ledger/rules/ledger.ts'
import { type TransferEntries, transferEntries, unusedDays } from '../rules/transfer.ts'

/**
 * Returns the entries of both leases when the old one ends on `last`. Preview and posting both use it.
 * @param target last day of the old lease, new unit, and prefix of the entries' `once` keys
 */
export async function loadTransferEntries(
  db: Kysely<Tables>,
  old: Pick<
    Selectable<LeasesTable>,
    'location_code' | 'lease_number' | 'unit_number' | 'rent' | 'paid_through' | 'imported'
  >,
  target: { last: IsoDate; to: string; once: string },
): Promise<TransferEntries> {
  const { location_code, lease_number } = old
  const [rows, fees] = await Promise.all([
    db
      .selectFrom('ledger_entries')
      .select(['kind', 'cents', 'period_start', 'period_end', 'posted_on', 'description'])
      .where((eb) => eb.and({ location_code, lease_number }))
      .execute(),
    loadLeaseFees(db, location_code, lease_number),
  ])
  const recurring = new Set(fees.map(({ description }) => description))
  const ledger = {
    entries: rows.map((row) => ({
      kind: row.kind,
      cents: row.cents,
      postedOn: row.posted_on,
      description: row.description,
      periodStart: row.period_start,
      periodEnd: row.period_end,
    })),
    recurs: ({ description }: { description: string }) => recurring.has(description),
    imported: old.imported === null ? null : { rent: old.rent, paidThrough: old.paid_through },
  }
  const units = { from: old.unit_number, to: target.to, balance: balance(ledger.entries) }
  return transferEntries(unusedDays(ledger, target.last), units, target.once)
}
