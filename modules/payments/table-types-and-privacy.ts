import type { ColumnType } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { PayerKind } from '../../domain/payer-kinds.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Json, Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { Flag } from '../../platform/schema/narrowed-column-types.ts'
import { booksNeedIt, noPerson, type TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { decryptPlanJson, encryptPlanWithoutPerson, planContext } from './order-terms-encryption.ts'
import { paymentAliasContext, paymentBankContext } from './payment.ts'
import type { PaymentState } from './rules/payment-states.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    payments: {
      payer: PayerKind
      state: PaymentState
      /** 0 if the payment only stores the card or account. */
      amount: Cents
      /** Encrypted agreed plan: all data needed to finish the order without the browser. */
      plan: Json
      autopay: Flag
      method: 'CC' | 'ACH'
      alias_sealed: Sealed | null
      /** Code of the reason for a review or refund: 'amount_differs', 'already_paid', … */
      trouble: string | null
      /** Time of cancellation or expiry, moved later by hours without a check; a late approval may still arrive. */
      closed_at: Instant | null
      /**
       * Last time that a payer's browser was at the card form; null before, and after the payer has opened the form again
       * without submitting it.
       */
      form_entered_at: Instant | null
      /** Encrypted account of a bank payment: {name, routing, account, type}; null for a card, and after an erasure. */
      bank_sealed: Sealed | null
      /** Bank payments and autopay: {text, at, address, agent} of the authorization. */
      authorisation: Json | null
      /** Autopay: first day of the paid period; unique with the lease and `autopay_try`. */
      autopay_period: IsoDate | null
      /**
       * Hash of the guest payer's sign-in that opened the order, or the session that found its rental by name; null for
       * any other payer.
       */
      opened_by: string | null
      /** Refunded part of the captured and posted amount, in cents; a refund counts before it is sent. */
      refunded_cents: ColumnType<Cents, Cents | undefined>
    }
    /**
     * Shares of orders of payer `units`, one for each lease; they add up to the agreed amount, and from the posting to
     * the captured one. The order itself names no lease.
     */
    payment_shares: {
      cents: Cents
      /** Refunded part of the share, in cents. */
      refunded_cents: Cents
    }
    /** Refunds of captured money that cannot be posted, or that a staff member refused in review. */
    refund_tasks: { state: 'open' | 'done' | 'failed' }
    /** States of bank accounts: as validated before the first debit (Nacha WEB rule), or as a returned debit showed. */
    bank_accounts: {
      state: 'valid' | 'refused'
    }
  }
}

export const paymentsCards: TableCards = {
  payments: {
    file: 'payments',
    name: 'Payments by card and bank',
    rows: 'orders',
    by: 'order_id',
    erasure: 'columns',
    why: 'They tell the payment apart at the card provider and the bank.',
    shown: [
      'order_id',
      'lease_number',
      'payer',
      'state',
      'amount',
      'approved_amount',
      'refunded_cents',
      'method',
      'card_brand',
      'receipt_id',
      'transaction_id',
      'response_text',
      'return_code',
      'created_at',
      'captured_at',
      'posted_at',
      'returned_at',
      'autopay',
      'autopay_period',
    ],
    erased: ['card_name', 'card_address', 'card_zip', 'exp_month', 'exp_year', 'bank_sealed'],
    rewritten: ['plan'],
    kept: ['masked_card', 'bank_label', 'authorisation'],
    hidden: [
      'location_code',
      'draft_id',
      'tenant_id',
      'quote_id',
      'response_code',
      'trouble',
      'updated_at',
      'autopay_try',
      'link_uuid',
      'closed_at',
      'form_entered_at',
    ],
    wiped: ['session_token', 'pay_page_url', 'alias_sealed', 'opened_by'],
    opened: {
      plan: decryptPlanJson,
    },
    rewrite: (services, row) => ({ plan: encryptPlanWithoutPerson(services, row) }),
    // A guest payer's card is not the tenant's. The ledger shows the tenant its last digits.
    show: (row) =>
      row.payer === 'guest'
        ? {
            ...row,
            card_name: null,
            card_address: null,
            card_zip: null,
            exp_month: null,
            exp_year: null,
            bank_sealed: null,
            authorisation: null,
          }
        : row,
    sealed: {
      plan: { field: 'sealed', context: (row) => planContext(row.order_id) },
      alias_sealed: { context: (row) => paymentAliasContext(row.order_id) },
      bank_sealed: { context: (row) => paymentBankContext(row.order_id) },
    },
  },
  payment_shares: {
    file: 'payment-shares',
    name: 'Parts of payments for several units',
    rows: 'orders',
    by: 'order_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['order_id', 'lease_number', 'cents', 'refunded_cents'],
    hidden: ['location_code'],
  },
  refund_tasks: {
    file: 'refunds-unposted',
    name: 'Refunds of payments that did not count',
    rows: 'orders',
    by: 'order_id',
    erasure: 'columns',
    why: booksNeedIt,
    shown: ['order_id', 'cents', 'reason', 'state', 'created_at', 'done_at'],
    hidden: ['location_code', 'attempts', 'last_error'],
  },
  bank_accounts: noPerson('A keyed hash of an account number and whether it is valid: no person can be found by it.'),
}
