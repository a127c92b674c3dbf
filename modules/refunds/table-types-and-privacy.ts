import { booksNeedIt, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { RefundedChargeTreatment, RefundWay } from './rules/why-not-refundable.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** Refunds of posted payments. A refund's ledger entry is written with its row, before the money is sent. */
    refunds: {
      way: RefundWay
      afterwards: RefundedChargeTreatment
      /**
       * open: being sent. failed: no attempts left. by_hand: a staff member is to pay it. done: sent, or paid by hand.
       * returned: the bank returned the debit before the refund was sent or paid.
       */
      state: 'open' | 'failed' | 'by_hand' | 'done' | 'returned'
      /** Means of a payment by hand, such as 'check 1042'. */
      paid_by: string | null
    }
  }
}

export const refundsCards: TableCards = {
  refunds: {
    file: 'refunds',
    name: 'Refunds',
    rows: 'orders',
    by: 'refund_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['order_id', 'lease_number', 'cents', 'way', 'state', 'reason', 'created_at', 'done_at'],
    erased: ['note'],
    kept: ['paid_by'],
    hidden: ['refund_id', 'location_code', 'tenant_id', 'afterwards', 'staff_id', 'attempts', 'last_error'],
  },
}
