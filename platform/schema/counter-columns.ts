import type { Cents } from '../../domain/money.ts'
import type { CounterMethod, DrawerState, ReceiptState } from '../../domain/office/counter.ts'
import type { IsoDate } from '../../domain/plain-date.ts'

/** Those of money by hand; see `columns.ts`. */
export interface CounterColumns {
  /** A drawer: what was received between its opening and its count. */
  cash_batches: {
    /** Where the money lies: a facility, or the operator's own office. */
    location_code: string
    state: DrawerState
    opened_on: IsoDate
    /** Change that lay in it before; not part of what is counted. */
    float_cents: Cents
    closed_on: IsoDate | null
    /** What was to be in it at the count, by its receipts. */
    system_cash: Cents | null
    counted_cash: Cents | null
    /** What was counted of all methods. */
    deposit_cents: Cents | null
    /** '' where nothing differs. */
    difference_reason: string
    /** The bank's day. */
    matched_on: IsoDate | null
  }
  /** A payment by hand; its ledger entries name it as their order. */
  counter_receipts: {
    /** The facility of its leases; the money may lie elsewhere (`cash_batches.location_code`). */
    location_code: string
    method: CounterMethod
    /** '' for cash. */
    check_number: string
    /** On the facility's calendar, as its entries. */
    received_on: IsoDate
    state: ReceiptState
    /** When it was voided or returned. */
    ended_on: IsoDate | null
  }
}
