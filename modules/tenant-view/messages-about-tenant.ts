import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Message, MessageSubject } from '../messages/message-definition.ts'
import { messageOf, messages } from '../messages/messages-by-kind.ts'

/**
 * Kinds of record that a message is about and whose key alone is the `once` key of the message's job. For the other
 * kinds, a day, period or number may follow the record's key.
 */
const alone: readonly MessageSubject[] = ['order', 'receipt', 'proof', 'move-out', 'rent change', 'refund']

const kindsAbout = Map.groupBy(Object.values<Message>(messages), ({ about }) => about)

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

/** Mails and text messages about a tenant, the newest first. @param before those older than this */
export async function loadMessagesAbout(
  db: Kysely<Tables>,
  keys: MailKeys,
  { before, most }: { before: Instant | null; most: number },
): Promise<SentMail[]> {
  const any = (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool>[] =>
    [...kindsAbout].flatMap(([about, mails]) => {
      const these = about ? keys[about] : []
      if (!about || these.length === 0) return []
      const kinds = mails.map(({ kind }) => kind)
      const further = alone.includes(about) ? [] : these
      return [
        eb.and([eb('kind', 'in', kinds), eb('once', 'in', [...these])]),
        ...further.map((key) =>
          eb.and([eb('kind', 'in', kinds), eb('once', '>', `${key}:`), eb('once', '<', `${key};`)]),
        ),
      ]
    })
  if (Object.values(keys).every((list) => list.length === 0)) return []
  const rows = await db
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'state', 'created_at', 'done_at'])
    .where((eb) => eb.or(any(eb)))
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
