/** Entries that waive a fee and its tax. */
import { waived } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import type { Entry } from './ledger.ts'
import { type EntryToWrite, type StoredEntry, taxKeyOf } from './stored-and-new-ledger-entries.ts'

/** Returns the idempotency key (`once`) of the ledger entry that waives a fee. */
export const waiverKey = (feeId: string): string => `waive:${feeId}`

/** Returns whether an entry charges a fee outside any period. Charges of a period are credited, not waived. */
export const isSingleFee = (entry: Pick<Entry, 'kind' | 'cents' | 'periodEnd'>): boolean =>
  entry.kind === 'fee' && entry.cents > 0 && entry.periodEnd === null

type WaivedEntry = Pick<StoredEntry, 'id' | 'kind' | 'cents' | 'description' | 'periodStart' | 'postedOn'>

/**
 * Returns the entries that waive a single fee and its tax: the same amounts negated. They count for the fee's day, so
 * that they lower the single charges of that day and not the rent.
 */
export function waiverEntries(fee: WaivedEntry, tax: WaivedEntry | undefined): EntryToWrite[] {
  const period = { start: fee.periodStart ?? fee.postedOn, end: null }
  const once = waiverKey(fee.id)
  const negate = (entry: WaivedEntry, kind: 'fee' | 'tax', key: string): EntryToWrite => ({
    kind,
    cents: -entry.cents,
    description: waived(entry.description),
    once: key,
    period,
    corrects: entry.id,
  })
  const taxEntries = tax?.kind === 'tax' && tax.cents > 0 ? [negate(tax, 'tax', taxKeyOf(once))] : []
  return [negate(fee, 'fee', once), ...taxEntries]
}
