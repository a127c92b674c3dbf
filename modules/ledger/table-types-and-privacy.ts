import type { IsoDate } from '../../domain/plain-date.ts'
import type { EntryKind } from '../../platform/schema/narrowed-column-types.ts'
import { booksNeedIt, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /**
     * Entries are never changed or deleted. `cents` is positive where an entry raises the balance, such as a fee, and
     * negative where it lowers the balance, such as a payment. The sum of a lease's entries is its balance.
     */
    ledger_entries: {
      kind: EntryKind
      /** Key that makes the entry unique within its lease, such as 'order:…:payment' or 'period:2026-11-20:rent'. */
      once: string
      period_start: IsoDate | null
      period_end: IsoDate | null
    }
  }
}

export const ledgerCards: TableCards = {
  ledger_entries: {
    file: 'ledger',
    name: 'Ledger',
    rows: 'leases',
    by: 'entry_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: [
      'entry_id',
      'lease_number',
      'kind',
      'cents',
      'description',
      'order_id',
      'period_start',
      'period_end',
      'posted_on',
      'created_at',
    ],
    hidden: ['location_code', 'once', 'billing_run'],
  },
}
