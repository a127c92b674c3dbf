import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { booksNeedIt, noPerson, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import type { CounterMethod, DrawerState, ReceiptState } from './rules/counter-receipt-methods-and-states.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** A drawer, with the receipts between its opening and its count. */
    cash_batches: {
      /** Place of the money: a facility, or the operator's own office. */
      location_code: string
      state: DrawerState
      opened_on: IsoDate
      /** Opening float in cents, which the count does not include. */
      float_cents: Cents
      closed_on: IsoDate | null
      /** Cash expected at the count, from the drawer's receipts. */
      system_cash: Cents | null
      counted_cash: Cents | null
      /** Counted sum of all methods. */
      deposit_cents: Cents | null
      /** '' while the drawer is open, and if the count does not differ. */
      difference_reason: string
      /** Day of the deposit on the bank statement. */
      matched_on: IsoDate | null
    }
    /** A payment by check, cash or money order; its ledger entries name the receipt as their order. */
    counter_receipts: {
      /** The facility of its leases; the money may lie elsewhere (`cash_batches.location_code`). */
      location_code: string
      method: CounterMethod
      /** '' for cash. */
      check_number: string
      /** Day of receipt on the facility's calendar, as in the receipt's ledger entries. */
      received_on: IsoDate
      state: ReceiptState
      /** Day on which the receipt was voided or returned. */
      ended_on: IsoDate | null
    }
  }
}

export const cashDrawersCards: TableCards = {
  cash_batches: noPerson('Drawers: sums of many receipts. The tenant’s receipts are in the export.'),
  counter_receipts: {
    file: 'counter-receipts',
    name: 'Checks, cash and money orders',
    rows: 'tenant',
    by: 'receipt_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['receipt_id', 'method', 'cents', 'received_at', 'received_on', 'state', 'ended_on', 'ended_reason'],
    erased: ['ended_note'],
    kept: ['check_number'],
    hidden: ['batch_id', 'location_code', 'tenant_id', 'received_by', 'ended_by', 'ended_at'],
  },
}
