/** Money, and the work of the office about a tenant. */
import { paymentBankContext } from '../payments/payment.ts'
import { planContext, planWithoutPerson } from '../payments/sealed-details.ts'
import { ofEntries, ofLeases, ofOrders, ofTenant } from './finders.ts'
import { holding } from './holding.ts'

const books = 'The books need them: sums and days, without a name.'

export const moneyHoldings = [
  holding({
    ...{ table: 'ledger_entries', file: 'ledger', name: 'Ledger', rows: ofLeases, by: 'entry_id' },
    ...{ erasure: 'columns', why: books },
    shown: [
      ...(['entry_id', 'lease_number', 'kind', 'cents', 'description', 'order_id', 'period_start'] as const),
      ...(['period_end', 'posted_on', 'created_at'] as const),
    ],
    hidden: ['location_code', 'once', 'billing_run'],
  }),
  holding({
    ...{ table: 'entry_reasons', file: 'ledger-reasons', name: 'Reasons of entries by hand', rows: ofEntries },
    ...{ by: 'entry_id', erasure: 'columns', why: 'Part of the ledger, which nothing changes.' },
    shown: ['entry_id', 'act', 'reason', 'note', 'corrects'],
    hidden: ['staff_id'],
  }),
  holding({
    ...{ table: 'payments', file: 'payments', name: 'Payments by card and bank', rows: ofOrders, by: 'order_id' },
    ...{ erasure: 'columns', why: 'They tell the payment apart at the card provider and the bank.' },
    shown: [
      ...(['order_id', 'lease_number', 'payer', 'state', 'amount', 'approved_amount', 'refunded_cents'] as const),
      ...(['method', 'card_brand', 'receipt_id', 'transaction_id', 'response_text', 'return_code'] as const),
      ...(['created_at', 'captured_at', 'posted_at', 'returned_at', 'autopay', 'autopay_period'] as const),
    ],
    erased: ['card_name', 'card_address', 'card_zip', 'exp_month', 'exp_year', 'bank_sealed'],
    rewritten: ['plan'],
    kept: ['masked_card', 'bank_label', 'authorisation'],
    hidden: [
      ...(['location_code', 'draft_id', 'tenant_id', 'quote_id', 'response_code', 'trouble', 'updated_at'] as const),
      ...(['autopay_try', 'link_uuid', 'closed_at'] as const),
    ],
    wiped: ['session_token', 'pay_page_url', 'alias_sealed', 'opened_by'],
    opened: {
      bank_sealed: (services, row) => services.sealer.open(row.bank_sealed ?? '', paymentBankContext(row.order_id)),
      plan: (services, row) =>
        services.sealer.open((JSON.parse(row.plan) as { sealed: string }).sealed, planContext(row.order_id)),
    },
    rewrite: (services, row) => ({ plan: planWithoutPerson(services, row) }),
    // Somebody else's card; the ledger names its last digits.
    show: (row) =>
      row.payer === 'guest'
        ? {
            ...{ ...row, card_name: null, card_address: null, card_zip: null, exp_month: null, exp_year: null },
            ...{ bank_sealed: null, authorisation: null },
          }
        : row,
  }),
  holding({
    ...{ table: 'payment_shares', file: 'payment-shares', name: 'Parts of payments for several units', rows: ofOrders },
    ...{ by: 'order_id', erasure: 'columns', why: books },
    shown: ['order_id', 'lease_number', 'cents', 'refunded_cents'],
    hidden: ['location_code'],
  }),
  holding({
    ...{ table: 'refund_tasks', file: 'refunds-unposted', name: 'Refunds of payments that did not count' },
    ...{ rows: ofOrders, by: 'order_id', erasure: 'columns', why: books },
    shown: ['order_id', 'cents', 'reason', 'state', 'created_at', 'done_at'],
    hidden: ['location_code', 'attempts', 'last_error'],
  }),
  holding({
    ...{ table: 'refunds', file: 'refunds', name: 'Refunds', rows: ofOrders, by: 'refund_id' },
    ...{ erasure: 'columns', why: books },
    shown: ['order_id', 'lease_number', 'cents', 'way', 'state', 'reason', 'created_at', 'done_at'],
    erased: ['note'],
    kept: ['paid_by'],
    hidden: ['refund_id', 'location_code', 'tenant_id', 'afterwards', 'staff_id', 'attempts', 'last_error'],
  }),
  holding({
    ...{ table: 'counter_receipts', file: 'counter-receipts', name: 'Checks, cash and money orders', rows: ofTenant },
    ...{ by: 'receipt_id', erasure: 'columns', why: books },
    shown: [
      ...(['receipt_id', 'method', 'cents', 'received_at', 'received_on', 'state', 'ended_on'] as const),
      'ended_reason',
    ],
    erased: ['ended_note'],
    kept: ['check_number'],
    hidden: ['batch_id', 'location_code', 'tenant_id', 'received_by', 'ended_by', 'ended_at'],
  }),
  holding({
    ...{ table: 'tasks', file: 'tasks', name: 'Work of the office', rows: ofTenant, by: 'task_id' },
    ...{ erasure: 'columns', why: 'That there was work, without what it said.' },
    shown: ['kind', 'lease_number', 'cents', 'due_on', 'created_at', 'state', 'ended_at'],
    erased: ['note'],
    hidden: [
      ...(['task_id', 'once', 'location_code', 'tenant_id', 'subject', 'assigned_to', 'created_by'] as const),
      'ended_by',
    ],
  }),
]
