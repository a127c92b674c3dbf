/** A tenant's timeline: notes, mails, sign-ins, office operations and payments, newest first. */

import type { Kysely } from 'kysely'
import { format } from '../../domain/money.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import { isTenant } from '../../platform/database/tenant-and-lease-conditions.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type GateEvent, type GateOpening, loadGateEvents, loadGateOpenings } from '../gate/gate-events.ts'
import { type Payment, paymentMethodLabel } from '../payments/payment.ts'
import { shownReceipt } from '../payments/rules/receipt-number.ts'
import { failureReason } from '../payments/texts/refusal-texts.ts'
import { auditSentence } from '../staff/read-audit-log.ts'
import { loadMessagesAbout, type MailKeys, type SentMail } from './messages-about-tenant.ts'

/** An event of a tenant's timeline. */
export interface TimelineItem {
  id: string
  at: Instant
  kind: 'note' | 'mail' | 'sign-in' | 'act' | 'money' | 'gate'
  text: string
  /** Name of the staff member; '' for events without one. */
  by: string
  /** Reason for an operation, or delivery state of a mail. */
  more: string
  bad: boolean
}

/** Tenant whose timeline is loaded, with the ids of the account, leases and reservations whose events it includes. */
export interface TimelineSubject {
  locationCode: string
  tenantId: number
  accountId: string | null
  leaseNumbers: readonly number[]
  reservationCodes: readonly string[]
}

export interface Timeline {
  items: TimelineItem[]
  /** Cursor of the next page with older items; null when there are none. */
  older: Instant | null
}

const PAGE = 50

/**
 * Returns a page of a tenant's timeline.
 * @param before `older` of the previous page; null for the newest page
 */
export async function loadTimeline(services: Services, of: TimelineSubject, before: Instant | null): Promise<Timeline> {
  const db = services.db.read
  const span = { before, most: PAGE + 1 }
  const [notes, signIns, acts, money, receipts, keys, gate, openings] = await Promise.all([
    notesOf(db, of, span),
    signInsOf(db, of, span),
    actsOf(db, of, span),
    paymentsOf(db, of, span),
    receiptsOf(db, of, span),
    furtherKeys(db, of),
    loadGateEvents(db, { location_code: of.locationCode, tenant_id: of.tenantId }, span.most, before),
    loadGateOpenings(services, { location_code: of.locationCode, tenant_id: of.tenantId }, span.most, before),
  ])
  const asked = {
    ...keys,
    orders: money.map((one) => one.order_id),
    receipts: receipts.map((receipt) => receipt.receipt_id),
  }
  const mails = await loadMessagesAbout(db, mailKeys(of, asked), span)
  const items = [
    ...notes,
    ...signIns,
    ...acts,
    ...money.flatMap(moneyItem),
    ...receipts.map(receiptItem),
    ...gate.map(gateItem),
    ...openings.map(openingItem),
    ...mails.map(
      (one): TimelineItem => ({
        id: one.id,
        at: one.at,
        kind: 'mail',
        text: `Mail: ${one.name}`,
        by: '',
        more: one.state,
        bad: one.state === 'given up',
      }),
    ),
  ].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  const last = items[PAGE - 1]
  // Keeps items of the same instant on one page, because the next page begins before that instant.
  const shown = last && items.length > PAGE ? items.filter((item) => item.at >= last.at) : items
  return { items: shown, older: last && shown.length < items.length ? last.at : null }
}

/** Maximum number of mails returned; a tenant of ten years has a few hundred. */
const MAILS = 5000

/** Returns every mail and text message about a tenant. */
export async function loadAllMessages(
  db: Kysely<Tables>,
  of: TimelineSubject,
  asked: { orders: string[]; receipts: string[] },
): Promise<SentMail[]> {
  const found = new Map<string, SentMail>()
  const known = { ...(await furtherKeys(db, of)), ...asked }
  for (let from = 0; from === 0 || from < of.leaseNumbers.length; from += LEASES) {
    const these = { ...of, leaseNumbers: of.leaseNumbers.slice(from, from + LEASES) }
    for (const one of await loadMessagesAbout(db, mailKeys(these, known), { before: null, most: MAILS }))
      found.set(one.id, one)
  }
  return [...found.values()].sort((a, b) => b.at - a.at)
}

interface Span {
  before: Instant | null
  most: number
}

async function notesOf(db: Kysely<Tables>, of: TimelineSubject, { before, most }: Span): Promise<TimelineItem[]> {
  const rows = await db
    .selectFrom('tenant_notes')
    .leftJoin('staff', 'staff.staff_id', 'tenant_notes.staff_id')
    .select(['note_id', 'note', 'tenant_notes.created_at', 'staff.name'])
    .where(isTenant({ location_code: of.locationCode, tenant_id: of.tenantId }))
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

async function signInsOf(db: Kysely<Tables>, of: TimelineSubject, { before, most }: Span): Promise<TimelineItem[]> {
  if (of.accountId === null) return []
  const rows = await db
    .selectFrom('sign_ins')
    .select(['token_hash', 'created_at', 'passkey_id'])
    .where('account_id', '=', of.accountId)
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

/** Kinds of audit events that a tenant's timeline leaves out, because it shows their result. */
const told = ['file.opened', 'note.added', 'task.made']

async function actsOf(db: Kysely<Tables>, of: TimelineSubject, { before, most }: Span): Promise<TimelineItem[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['event_id', 'at', 'kind', 'details', 'actor', 'outcome', 'reason', 'cents'])
    .where(isTenant({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .where('kind', 'not in', told)
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

const paid = [
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

type PaidOrder = Pick<Payment, (typeof paid)[number]>

async function paymentsOf(db: Kysely<Tables>, of: TimelineSubject, { before, most }: Span): Promise<PaidOrder[]> {
  return db
    .selectFrom('payments')
    .select(paid)
    .where((eb) =>
      // Repeats the facility, because SQLite would scan all its payments otherwise.
      eb.or([
        eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }),
        ...(of.leaseNumbers.length > 0
          ? [eb.and([eb('location_code', '=', of.locationCode), eb('lease_number', 'in', [...of.leaseNumbers])])]
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
  const say = (text: string, more = '', bad = false): TimelineItem[] => [
    { id: payment.order_id, at: payment.created_at, kind: 'money', by: '', text, more, bad },
  ]
  const what = `${payers[payment.payer] ?? ''}${format(payment.approved_amount ?? payment.amount)} by ${paymentMethodLabel(payment)}`
  switch (payment.state) {
    case 'captured':
    case 'posted':
      return say(`${what} paid`)
    case 'declined':
      return say(
        `${what} refused`,
        failureReason({
          responseCode: payment.response_code ?? '',
          responseDescription: payment.response_text ?? '',
        }),
        true,
      )
    case 'returned':
      return say(`${what} returned by the bank`, payment.return_code ?? '', true)
    case 'review':
      return say(`${what} waits for a review`, '', true)
    case 'refund_due':
      return say(`${what} is to be given back`)
    case 'refunded':
      return say(`${what} was given back`)
    default:
      return []
  }
}

interface FurtherKeys {
  proofs: string[]
  moveOuts: string[]
  rentChanges: string[]
  refunds: string[]
}

async function furtherKeys(db: Kysely<Tables>, of: TimelineSubject): Promise<FurtherKeys> {
  const numbers = [...of.leaseNumbers]
  const [proofs, moveOuts, rentChanges, refunds] = await Promise.all([
    db
      .selectFrom('insurance_proofs')
      .select('proof_id as id')
      .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
      .execute(),
    numbers.length === 0
      ? []
      : db
          .selectFrom('move_outs')
          .select('move_out_id as id')
          .where('location_code', '=', of.locationCode)
          .where('lease_number', 'in', numbers)
          .execute(),
    numbers.length === 0
      ? []
      : db
          .selectFrom('rent_changes')
          .select('change_id as id')
          .where('location_code', '=', of.locationCode)
          .where('lease_number', 'in', numbers)
          .execute(),
    numbers.length === 0
      ? []
      : db
          .selectFrom('refunds')
          .select('refund_id as id')
          .where('order_id', 'in', (eb) =>
            eb
              .selectFrom('payments')
              .select('order_id')
              .where('location_code', '=', of.locationCode)
              .where('lease_number', 'in', numbers),
          )
          .execute(),
  ])
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  return { proofs: ids(proofs), moveOuts: ids(moveOuts), rentChanges: ids(rentChanges), refunds: ids(refunds) }
}

/** Returns payments received at the counter. */
const receiptsOf = (db: Kysely<Tables>, of: TimelineSubject, { before, most }: Span) =>
  db
    .selectFrom('counter_receipts')
    .leftJoin('staff', 'staff.staff_id', 'counter_receipts.received_by')
    .select(['receipt_id', 'method', 'check_number', 'cents', 'received_at', 'state', 'staff.name'])
    .where(isTenant({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .$call(optionalCondition(before, (query, instant) => query.where('received_at', '<', instant)))
    .orderBy('received_at', 'desc')
    .limit(most)
    .execute()

type CounterReceipt = Awaited<ReturnType<typeof receiptsOf>>[number]

function receiptItem(one: CounterReceipt): TimelineItem {
  const how = one.method.replaceAll('_', ' ') + (one.check_number ? ` ${one.check_number}` : '')
  const ended = one.state === 'voided' || one.state === 'returned'
  return {
    id: one.receipt_id,
    at: one.received_at,
    kind: 'money',
    by: one.name ?? '',
    bad: ended,
    text: `${format(one.cents)} by ${how} received${one.name ? ` by ${one.name}` : ''}${ended ? `, ${one.state}` : ''}`,
    more: shownReceipt(one.receipt_id),
  }
}

/** Number of a tenant's newest leases whose mails the timeline shows. */
const LEASES = 6

const mailKeys = (of: TimelineSubject, known: FurtherKeys & { orders: string[]; receipts: string[] }): MailKeys => {
  // Key prefix of links that the office has sent.
  const sent = `sent:${of.locationCode}:${of.tenantId}`
  return {
    lease: [
      sent,
      ...[...of.leaseNumbers]
        .sort((a, b) => b - a)
        .slice(0, LEASES)
        .map((number) => `${of.locationCode}:${number}`),
    ],
    tenant: [sent, `${of.locationCode}:${of.tenantId}`],
    order: known.orders,
    receipt: known.receipts,
    reservation: of.reservationCodes.map((code) => `${of.locationCode}:${code}`),
    account: of.accountId === null ? [] : [of.accountId],
    proof: known.proofs,
    'move-out': known.moveOuts,
    'rent change': known.rentChanges,
    refund: known.refunds,
  }
}

const atTheGate: Record<GateEvent['what'], string> = {
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
  text: `${atTheGate[what]} (${point})`,
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
