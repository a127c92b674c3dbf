/**
 * Stored ledger entries, and entries to write outside period billing, such as those of staff operations, late fees and
 * transfers. The entries to write are never rent, discount or insurance.
 */
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Entry } from './ledger.ts'

/** A stored ledger entry with its id and key. */
export interface StoredEntry extends Entry {
  id: string
  once: string
  description: string
}

/** An entry to write to a lease's ledger. */
export interface EntryToWrite {
  kind: 'fee' | 'tax' | 'credit'
  cents: Cents
  description: string
  /** Key that makes the entry unique within its lease, so that it is written only once. */
  once: string
  /**
   * Period that the entry belongs to. With `end` null, the entry belongs to no period and counts for the day `start`
   * instead of its posting day.
   */
  period?: { start: IsoDate; end: IsoDate | null }
  /** Id of the entry that this one corrects. */
  corrects?: string
}

/** Returns the `once` key of the tax on a single fee: 'late:2026-11-01:tax', 'order:…:card_fee_tax'. */
export const taxKeyOf = (feeKey: string): string =>
  feeKey.endsWith(':fee') ? `${feeKey.slice(0, -4)}:tax` : `${feeKey}_tax`
