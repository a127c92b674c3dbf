import { booksNeedIt, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /**
     * Rent changes of leases. A lease has at most one change in the states 'proposed', 'approved' and 'coming'. The new
     * rent of a change in state 'coming' is the lease's `next_rent`.
     */
    rent_changes: {
      /**
       * 'approved': an increase whose notice is not sent yet. 'coming': scheduled on the lease. 'applied': the first
       * period at the new rent is charged. 'stale': the change no longer fitted the lease when it was to be approved
       * or announced. 'lapsed': the lease ended first.
       */
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
