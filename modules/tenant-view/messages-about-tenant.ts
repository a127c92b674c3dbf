import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { JobState } from '../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Message, MessageSubject } from '../messages/message-definition.ts'
import { messageOf, messages } from '../messages/messages-by-kind.ts'

/** Tenant whose timeline is loaded, with the ids of the account, leases and reservations whose events it includes. */
export interface TimelineSubject {
  locationCode: string
  tenantId: number
  accountId: string | null
  leaseNumbers: readonly number[]
  reservationCodes: readonly string[]
}

/**
 * Kinds of record whose messages have jobs with the record's key alone as `once` key. For other kinds of record, a day,
 * period or number may follow the record's key.
 */
const subjectsWithExactKey: readonly MessageSubject[] = [
  'order',
  'receipt',
  'proof',
  'move-out',
  'rent change',
  'refund',
]

const messagesBySubject = Map.groupBy(Object.values<Message>(messages), ({ about }) => about)

type MailKeys = Record<MessageSubject, readonly string[]>

/** A mail or text message about a tenant, with its state of delivery. */
export interface SentMail {
  id: string
  at: Instant
  name: string
  state: 'sent' | 'on its way' | 'not delivered' | 'not sent'
}

/** States of a message by that of its job. A job is ended by staff, or by the runner when it is too late or has no recipient. */
const stateTexts: Record<JobState, SentMail['state']> = {
  waiting: 'on its way',
  running: 'on its way',
  done: 'sent',
  dead: 'not delivered',
  ended: 'not sent',
}

function messageName(kind: string): string {
  const mail = messageOf(kind)
  return mail?.about ? mail.name : kind
}

/**
 * Loads the mails and text messages about a tenant, the newest first.
 * @param span.before instant before which the messages were created; null for the newest ones
 * @param span.most maximum number of messages; null for all
 */
export async function loadMessagesAbout(
  db: Kysely<Tables>,
  keys: MailKeys,
  { before, most }: { before: Instant | null; most: number | null },
): Promise<SentMail[]> {
  const matchingKeys = (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool>[] =>
    [...messagesBySubject].flatMap(([about, mails]) => {
      const subjectKeys = about ? keys[about] : []
      if (!about || subjectKeys.length === 0) return []
      const kinds = mails.map(({ kind }) => kind)
      const keyPrefixes = subjectsWithExactKey.includes(about) ? [] : subjectKeys
      // All keys that begin with `${key}:` are between it and `${key};`, since ';' is the character after ':'.
      return [
        eb.and([eb('kind', 'in', kinds), eb('once', 'in', [...subjectKeys])]),
        ...keyPrefixes.map((key) =>
          eb.and([eb('kind', 'in', kinds), eb('once', '>', `${key}:`), eb('once', '<', `${key};`)]),
        ),
      ]
    })
  if (Object.values(keys).every((list) => list.length === 0)) return []
  const rows = await db
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'state', 'created_at'])
    .where((eb) => eb.or(matchingKeys(eb)))
    .$call(optionalCondition(before, (query, instant) => query.where('created_at', '<', instant)))
    .orderBy('created_at', 'desc')
    .$call(optionalCondition(most, (query, count) => query.limit(count)))
    .execute()
  return rows.map((row) => ({
    id: row.job_id,
    at: row.created_at,
    name: messageName(row.kind),
    state: stateTexts[row.state],
  }))
}

/**
 * Loads the mails and text messages about a tenant and all leases of `subject`, the newest first, with one query for
 * every `MAX_LEASES` leases.
 */
export async function loadAllMessages(
  db: Kysely<Tables>,
  subject: TimelineSubject,
  paymentKeys: { orders: string[]; receipts: string[] },
): Promise<SentMail[]> {
  const messagesById = new Map<string, SentMail>()
  const recordKeys = { ...(await loadRecordKeys(db, subject)), ...paymentKeys }
  for (let from = 0; from === 0 || from < subject.leaseNumbers.length; from += MAX_LEASES) {
    const subjectPart = { ...subject, leaseNumbers: subject.leaseNumbers.slice(from, from + MAX_LEASES) }
    const keys = mailKeys(subjectPart, recordKeys)
    for (const message of await loadMessagesAbout(db, keys, { before: null, most: null }))
      messagesById.set(message.id, message)
  }
  for (const message of await loadStaffEntryMails(db, subject)) messagesById.set(message.id, message)
  return [...messagesById.values()].sort((a, b) => b.at - a.at)
}

/** Loads the mails about charges, credits and waivers by staff. The key of such a mail's job is an entry's id. */
async function loadStaffEntryMails(
  db: Kysely<Tables>,
  { locationCode, leaseNumbers }: TimelineSubject,
): Promise<SentMail[]> {
  if (leaseNumbers.length === 0) return []
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('ledger_entries', 'entry_id', 'jobs.once')
    .select(['job_id', 'jobs.state', 'jobs.created_at'])
    .where('jobs.kind', '=', 'ledger_changed')
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', [...leaseNumbers])
    .execute()
  return rows.map((row) => ({
    id: row.job_id,
    at: row.created_at,
    name: 'Charge, credit or waiver by the office',
    state: stateTexts[row.state],
  }))
}

interface RecordKeys {
  proofs: string[]
  moveOuts: string[]
  rentChanges: string[]
  refunds: string[]
}

/** Loads the ids of a tenant's insurance proofs, and of the move-outs, rent changes and refunds of the leases. */
export async function loadRecordKeys(db: Kysely<Tables>, subject: TimelineSubject): Promise<RecordKeys> {
  const numbers = [...subject.leaseNumbers]
  const [proofs, moveOuts, rentChanges, refunds] = await Promise.all([
    db
      .selectFrom('insurance_proofs')
      .select('proof_id as id')
      .where((eb) => eb.and({ location_code: subject.locationCode, tenant_id: subject.tenantId }))
      .execute(),
    numbers.length === 0
      ? []
      : db
          .selectFrom('move_outs')
          .select('move_out_id as id')
          .where('location_code', '=', subject.locationCode)
          .where('lease_number', 'in', numbers)
          .execute(),
    numbers.length === 0
      ? []
      : db
          .selectFrom('rent_changes')
          .select('change_id as id')
          .where('location_code', '=', subject.locationCode)
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
              .where('location_code', '=', subject.locationCode)
              .where('lease_number', 'in', numbers),
          )
          .execute(),
  ])
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  return { proofs: ids(proofs), moveOuts: ids(moveOuts), rentChanges: ids(rentChanges), refunds: ids(refunds) }
}

/** Number of a tenant's newest leases whose messages the timeline shows, and of the leases in one query of `loadAllMessages`. */
const MAX_LEASES = 6

/**
 * Returns the `once` keys, or their beginnings, of the jobs that send messages about a tenant, by kind of record. Mails
 * about ledger entries by staff have an entry's id as key and are left out.
 */
export const mailKeys = (
  subject: TimelineSubject,
  recordKeys: RecordKeys & { orders: string[]; receipts: string[] },
): MailKeys => {
  // Keys of jobs by which the office sends the tenant a link begin with this text.
  const sent = `sent:${subject.locationCode}:${subject.tenantId}`
  return {
    lease: [
      sent,
      ...[...subject.leaseNumbers]
        .sort((a, b) => b - a)
        .slice(0, MAX_LEASES)
        .map((number) => `${subject.locationCode}:${number}`),
    ],
    tenant: [sent, `${subject.locationCode}:${subject.tenantId}`],
    order: recordKeys.orders,
    receipt: recordKeys.receipts,
    // The key of a link sent again has a prefix (`sendReservationLink`).
    reservation: subject.reservationCodes.flatMap((code) => {
      const key = `${subject.locationCode}:${code}`
      return [key, `again:${key}`]
    }),
    account: subject.accountId === null ? [] : [subject.accountId],
    proof: recordKeys.proofs,
    'move-out': recordKeys.moveOuts,
    'rent change': recordKeys.rentChanges,
    refund: recordKeys.refunds,
  }
}
