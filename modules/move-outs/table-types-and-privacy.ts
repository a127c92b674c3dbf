import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { suspendedAutopayContext } from '../leases/autopay-mandate.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    move_outs: {
      reasons: Json
      /** Encrypted autopay mandate that the move-out suspended, so that cancelling can restore it; null without one. */
      autopay_before: Sealed | null
      /** 'begun': feedback was left, and the move-out is not scheduled yet. */
      state: 'begun' | 'scheduled' | 'cancelled' | 'completed'
    }
  }
}

export const moveOutsCards: TableCards = {
  move_outs: {
    file: 'move-outs',
    name: 'Move-outs',
    rows: 'tenant',
    by: 'move_out_id',
    erasure: 'columns',
    why: 'When and why units were left, without a name.',
    shown: ['lease_number', 'move_out_date', 'vacate_reason_id', 'reasons', 'star_rating', 'state', 'created_at'],
    erased: ['custom_note', 'comment', 'autopay_before'],
    hidden: ['move_out_id', 'location_code', 'tenant_id', 'cancelled_at'],
    sealed: {
      autopay_before: { with: ['location_code', 'lease_number'], context: suspendedAutopayContext },
    },
  },
}
