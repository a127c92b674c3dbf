/** A tenant's timeline: notes, mails, sign-ins, office operations, payments and gate events, newest first. */

import type { Kysely } from 'kysely'
import { format } from '../../../domain/money.ts'
import { auditSentence } from '../../../domain/office/audit-events.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type GateEvent, type GateOpening, loadGateEvents, loadGateOpenings } from '../../gate/gate-events.ts'
import { capturedCents, type Payment, paymentMethodLabel } from '../../payments/payment.ts'
import { failureReason } from '../../payments/rules/payment-failure-reason.ts'
import { shownReceipt } from '../../payments/rules/receipt-number.ts'
import { loadMessagesAbout, loadRecordKeys, mailKeys, type TimelineSubject } from '../messages-about-tenant.ts'

/** An event of a tenant's timeline. */
export interface TimelineItem {
  id: string
  at: Instant
  kind: 'note' | 'mail' | 'sign-in' | 'act' | 'money' | 'gate'
  text: string
  /** Name of the staff member, or of the program that acted by itself, such as 'Latchkey'; '' for items without one. */
  by: string
  /** Detail, such as the reason for an operation, the delivery state of a mail or a receipt's number; '' for none. */
  more: string
  bad: boolean
}

export interface Timeline {
  items: TimelineItem[]
  /** Cursor of the next page with older items; null when there are none. */
  older: Instant | null
}

const PAGE_SIZE = 50

/**
 * Returns a page of a tenant's timeline.
 * @param before `older` of the previous page; null for the newest page
 */
export async function loadTimeline(
  services: Services,
  subject: TimelineSubject,
  before: Instant | null,
): Promise<Timeline> {
  const db = services.db.read
  const span = { before, most: PAGE_SIZE + 1 }
  const [notes, signIns, operations, orders, receipts, keys, gate, openings] = await Promise.all([
    loadNotes(db, subject, span),
    loadSignIns(db, subject, span),
    loadStaffOperations(db, subject, span),
    loadOrders(db, subject, span),
    loadReceipts(db, subject, span),
    loadRecordKeys(db, subject),
    loadGateEvents(db, { location_code: subject.locationCode, tenant_id: subject.tenantId }, span.most, before),
    loadGateOpenings(services, { location_code: subject.locationCode, tenant_id: subject.tenantId }, span.most, before),
  ])
  const recordKeys = {
    ...keys,
    orders: orders.map((order) => order.order_id),
    receipts: receipts.map((receipt) => receipt.receipt_id),
  }
  const mails = await loadMessagesAbout(db, mailKeys(subject, recordKeys), span)
  const items = [
    ...notes,
    ...signIns,
    ...operations,
    ...orders.flatMap(moneyItem),
    ...receipts.map(receiptItem),
    ...gate.map(gateItem),
    ...openings.map(openingItem),
    ...mails.map(
      (mail): TimelineItem => ({
        id: mail.id,
        at: mail.at,
        kind: 'mail',
        text: `Mail: ${mail.name}`,
        by: '',
        more: mail.state,
        bad: mail.state === 'not delivered',
      }),
    ),
  ].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  const last = items[PAGE_SIZE - 1]
  // Keeps items of the same instant on one page, because the next page begins before that instant.
  const pageItems = last && items.length > PAGE_SIZE ? items.filter((item) => item.at >= last.at) : items
  return { items: pageItems, older: last && pageItems.length < items.length ? last.at : null }
}

interface Span {
  before: Instant | null
  most: number
}

async function loadNotes(
  db: Kysely<Tables>,
  subject: TimelineSubject,
  { before, most }: Span,
): Promise<TimelineItem[]> {
  const rows = await db
    .selectFrom('tenant_notes')
    .leftJoin('staff', 'staff.staff_id', 'tenant_notes.staff_id')
    .select(['note_id', 'note', 'tenant_notes.created_at', 'staff.name'])
    .where(isTenant({ location_code: subject.locationCode, tenant_id: subject.tenantId }))
    .$call(optionalCondition(before, (query, instant) => query.where('tenant_notes.created_at', '<', instant)))
    .orderBy('tenant_notes.created_at', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.note_id,
    at: row.created_at,
    kind: 'note',
    text: row.note,
    by: row.name ?? '',
    more: '',
    bad: false,
  }))
}

async function loadSignIns(
  db: Kysely<Tables>,
  subject: TimelineSubject,
  { before, most }: Span,
): Promise<TimelineItem[]> {
  if (subject.accountId === null) return []
  const rows = await db
    .selectFrom('sign_ins')
    .select(['token_hash', 'created_at', 'passkey_id'])
    .where('account_id', '=', subject.accountId)
    .$call(optionalCondition(before, (query, instant) => query.where('created_at', '<', instant)))
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    // Part of the hash distinguishes rows without identifying the live sign-in.
    id: row.token_hash.slice(0, 12),
    at: row.created_at,
    kind: 'sign-in',
    by: '',
    more: '',
    bad: false,
    text: row.passkey_id === null ? 'Signed in to the portal' : 'Signed in to the portal with a passkey',
  }))
}

/** Kinds of audit events that a tenant's timeline leaves out: page views, and events whose result the page shows. */
const hiddenKinds = ['file.opened', 'note.added', 'task.made']

async function loadStaffOperations(
  db: Kysely<Tables>,
  subject: TimelineSubject,
  { before, most }: Span,
): Promise<TimelineItem[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['event_id', 'at', 'kind', 'details', 'actor', 'outcome', 'reason', 'cents'])
    .where(isTenant({ location_code: subject.locationCode, tenant_id: subject.tenantId }))
    .where('kind', 'not in', hiddenKinds)
    .$call(optionalCondition(before, (query, instant) => query.where('at', '<', instant)))
    .orderBy('at', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.event_id,
    at: row.at,
    kind: 'act',
    by: row.actor,
    more: row.reason,
    text: auditSentence(row.kind, row.details) + (row.outcome === 'refused' ? ' (refused)' : ''),
    bad: row.outcome === 'refused',
  }))
}

const orderColumns = [
  'order_id',
  'created_at',
  'payer',
  'amount',
  'method',
  'bank_label',
  'card_brand',
  'masked_card',
  'approved_amount',
  'state',
  'response_code',
  'response_text',
  'return_code',
] as const

type PaidOrder = Pick<Payment, (typeof orderColumns)[number]>

async function loadOrders(db: Kysely<Tables>, subject: TimelineSubject, { before, most }: Span): Promise<PaidOrder[]> {
  return db
    .selectFrom('payments')
    .select(orderColumns)
    .where((eb) =>
      // Each branch names the facility, because SQLite would scan all payments of the facility otherwise.
      eb.or([
        eb.and({ location_code: subject.locationCode, tenant_id: subject.tenantId }),
        ...(subject.leaseNumbers.length > 0
          ? [
              eb.and([
                eb('location_code', '=', subject.locationCode),
                eb('lease_number', 'in', [...subject.leaseNumbers]),
              ]),
            ]
          : []),
      ]),
    )
    .where('amount', '>', 0)
    .$call(optionalCondition(before, (query, instant) => query.where('created_at', '<', instant)))
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
}

const payers: Partial<Record<Payment['payer'], string>> = {
  autopay: 'Autopay: ',
  guest: 'Guest payment: ',
  auction: 'Auction: ',
  settlement: 'Settlement: ',
  move_in: 'Move-in: ',
  units: 'Several units: ',
}

/** Returns the timeline item of an order; none for an order without result. */
function moneyItem(payment: PaidOrder): TimelineItem[] {
  const item = (text: string, more = '', bad = false): TimelineItem[] => [
    { id: payment.order_id, at: payment.created_at, kind: 'money', by: '', text, more, bad },
  ]
  const what = `${payers[payment.payer] ?? ''}${format(capturedCents(payment))} by ${paymentMethodLabel(payment)}`
  switch (payment.state) {
    case 'captured':
    case 'posted':
      return item(`${what} paid`)
    case 'declined':
      return item(
        `${what} refused`,
        failureReason({
          responseCode: payment.response_code ?? '',
          responseDescription: payment.response_text ?? '',
        }),
        true,
      )
    case 'returned':
      return item(`${what} returned by the bank`, payment.return_code ?? '', true)
    case 'review':
      return item(`${what} waits for a review`, '', true)
    case 'refund_due':
      return item(`${what} is to be given back`)
    case 'refunded':
      return item(`${what} was given back`)
    default:
      return []
  }
}

/** Returns payments received at the counter. */
const loadReceipts = (db: Kysely<Tables>, subject: TimelineSubject, { before, most }: Span) =>
  db
    .selectFrom('counter_receipts')
    .leftJoin('staff', 'staff.staff_id', 'counter_receipts.received_by')
    .select(['receipt_id', 'method', 'check_number', 'cents', 'received_at', 'state', 'staff.name'])
    .where(isTenant({ location_code: subject.locationCode, tenant_id: subject.tenantId }))
    .$call(optionalCondition(before, (query, instant) => query.where('received_at', '<', instant)))
    .orderBy('received_at', 'desc')
    .limit(most)
    .execute()

type CounterReceipt = Awaited<ReturnType<typeof loadReceipts>>[number]

function receiptItem(receipt: CounterReceipt): TimelineItem {
  const how = receipt.method.replaceAll('_', ' ') + (receipt.check_number ? ` ${receipt.check_number}` : '')
  const isEnded = receipt.state === 'voided' || receipt.state === 'returned'
  return {
    id: receipt.receipt_id,
    at: receipt.received_at,
    kind: 'money',
    by: receipt.name ?? '',
    bad: isEnded,
    text: `${format(receipt.cents)} by ${how} received${receipt.name ? ` by ${receipt.name}` : ''}${isEnded ? `, ${receipt.state}` : ''}`,
    more: shownReceipt(receipt.receipt_id),
  }
}

const gateEventTexts: Record<GateEvent['what'], string> = {
  opened: 'Opened the gate',
  refused: 'Refused at the gate',
  forced: 'Forced the gate',
  held_open: 'Held the gate open',
  fault: 'A fault at the gate',
}

const gateItem = ({ event_id, at, what, point, why }: GateEvent): TimelineItem => ({
  id: event_id,
  at,
  kind: 'gate',
  text: `${gateEventTexts[what]} (${point})`,
  by: '',
  more: why,
  bad: what !== 'opened',
})

/** Returns the timeline item about a remote opening of the gate, with its result. */
const openingItem = ({ command_id, at, point, answer }: GateOpening): TimelineItem => ({
  id: command_id,
  at,
  kind: 'gate',
  text: `${openingText(answer)} (${point})`,
  by: '',
  more: '',
  bad: answer !== 'opened',
})

function openingText(answer: GateOpening['answer']): string {
  if (answer === '') return 'Did not answer when the office asked it to open'
  return `${answer === 'opened' ? 'Opened' : 'Did not open'} when the office asked`
}
