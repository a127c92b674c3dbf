import type { Cents } from '../../../domain/money.ts'
import { movedFrom, movedTo } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import type { EntryToWrite } from './stored-and-new-ledger-entries.ts'

interface LeaseSide {
  balance: Cents
  unit: string
}

/**
 * Returns the ledger entries that move a balance due, or a credit, from one lease to another. Together they sum to 0.
 */
export function movedBalanceEntries(
  from: LeaseSide,
  to: LeaseSide,
  cents: Cents,
  once: string,
): { off: EntryToWrite[]; onto: EntryToWrite[] } {
  const change = from.balance > 0 ? -cents : cents
  return {
    off: [{ kind: 'credit', cents: change, description: movedTo(to.unit), once: `${once}:off` }],
    onto: [{ kind: 'credit', cents: -change, description: movedFrom(from.unit), once: `${once}:onto` }],
  }
}
