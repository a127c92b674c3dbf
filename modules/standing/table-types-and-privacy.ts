import type { EntryReason } from '../../domain/office/ledger-entry-reasons.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { EntryAct } from './rules/staff-ledger-act-names.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** Reasons of entries that staff wrote. Triggers refuse changes and deletions. */
    entry_reasons: {
      act: EntryAct
      reason: EntryReason
      /** Id of the entry that this one corrects. */
      corrects: string | null
    }
  }
}

export const standingCards: TableCards = {
  entry_reasons: {
    file: 'ledger-reasons',
    name: 'Reasons of entries by hand',
    rows: 'entries',
    by: 'entry_id',
    erasure: 'columns',
    why: 'Part of the ledger, which nothing changes.',
    shown: ['entry_id', 'act', 'reason', 'note', 'corrects'],
    hidden: ['staff_id'],
  },
}
