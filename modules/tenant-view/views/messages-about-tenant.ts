import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Message, MessageSubject } from '../../messages/message-definition.ts'
import { messageOf, messages } from '../../messages/messages-by-kind.ts'

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

export type MailKeys = Record<MessageSubject, readonly string[]>

/** A mail or text message about a tenant, with its state of delivery. */
export interface SentMail {
  id: string
  at: Instant
  name: string
  state: 'sent' | 'on its way' | 'given up'
}

function nameOf(kind: string): string {
  const mail = messageOf(kind)
  return mail?.about ? mail.name : kind
}

/**
 * Loads the mails and text messages about a tenant, the newest first.
 * @param before instant before which the messages were created; null for the newest ones
 */
export async function loadMessagesAbout(
  db: Kysely<Tables>,
  keys: MailKeys,
  { before, most }: { before: Instant | null; most: number },
): Promise<SentMail[]> {
  const matchingKeys = (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool>[] =>
    [...messagesBySubject].flatMap(([about, mails]) => {
      const subjectKeys = about ? keys[about] : []
      if (!about || subjectKeys.length === 0) return []
      const kinds = mails.map(({ kind }) => kind)
      const keyPrefixes = subjectsWithExactKey.includes(about) ? [] : subjectKeys
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
    .select(['job_id', 'kind', 'state', 'created_at', 'done_at'])
    .where((eb) => eb.or(matchingKeys(eb)))
    .$call(optionalCondition(before, (query, instant) => query.where('created_at', '<', instant)))
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.job_id,
    at: row.created_at,
    name: nameOf(row.kind),
    state: row.state === 'done' ? 'sent' : row.state === 'dead' ? 'given up' : 'on its way',
  }))
}
