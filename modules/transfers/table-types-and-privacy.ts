import type { Cents } from '../../domain/money.ts'
import { booksNeedIt, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { TransferState } from './rules/lease-transfers-types.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    transfers: {
      state: TransferState
      /** Money for unused paid days, and other credit, that moved to the new lease, in cents; 0 until done. */
      moved_cents: Cents
      /** Staff id; null when the tenant opened the transfer. */
      opened_by: string | null
      /** The old lease's last day; null until the new lease is made, and if the old lease had ended before. */
      ends_on: string | null
      to_lease: number | null
    }
  }
}

export const transfersCards: TableCards = {
  transfers: {
    file: 'transfers',
    name: 'Transfers',
    rows: 'tenant',
    by: 'transfer_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: [
      'lease_number',
      'unit_number',
      'to_unit_number',
      'to_lease',
      'starts_on',
      'ends_on',
      'state',
      'moved_cents',
      'opened_at',
      'ended_at',
      'reservation_code',
      'overlap_days',
    ],
    hidden: ['transfer_id', 'location_code', 'tenant_id', 'opened_by'],
  },
}
