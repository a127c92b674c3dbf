import { booksNeedIt, type TableCards } from '../../platform/schema/card.ts'

declare module '../../platform/schema/columns.ts' {
  interface Columns {
    /** A lease has at most one that is not decided or not in force; announced, its rent stands on the lease as `next_rent`. */
    rent_changes: {
      /** 'approved': waits for its notice to leave; 'coming': announced, stands on the lease; 'stale': the rent changed before. */
      state: 'proposed' | 'approved' | 'coming' | 'applied' | 'refused' | 'cancelled' | 'stale' | 'lapsed'
    }
  }
}

export const rentChangesCards: TableCards = {
  rent_changes: {
    file: 'rent-changes',
    name: 'Rent changes',
    rows: 'leases',
    by: 'change_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['lease_number', 'old_rent', 'new_rent', 'state', 'notice_on', 'not_before', 'applied_from', 'proposed_at'],
    hidden: [
      'change_id',
      'batch_id',
      'location_code',
      'tenant_id',
      'wanted_from',
      'reason',
      'proposed_by',
      'decided_by',
      'decided_at',
      'decided_because',
      'ended_at',
    ],
  },
}
