import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { hasTextConsent } from '../../tenants/sms-consent.ts'
import { attachmentsOf } from '../development-mailbox.ts'
import { mailSamples, smsSamples } from './message-samples.ts'

/** A captured message in the list of the mailbox. */
export interface ListedMessage {
  id: string
  sms: boolean
  to: string
  subject: string
  /** Number of attached files. */
  attachments: number
  at: Instant
}

/** Loads the newest 200 captured messages, newest first, and the samples of every message. */
export async function loadMailbox({ db }: Pick<Services, 'db'>): Promise<{
  messages: ListedMessage[]
  samples: { id: string; title: string; sms: boolean }[]
}> {
  const rows = await db.read
    .selectFrom('mailbox')
    .select(['message_id', 'channel', 'recipient', 'subject', 'attachments', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('message_id')
    .limit(200)
    .execute()
  return {
    messages: rows.map((row) => ({
      id: row.message_id,
      sms: row.channel === 'sms',
      to: row.recipient,
      subject: row.subject || 'Text message',
      attachments: attachmentsOf(row.attachments).length,
      at: row.created_at,
    })),
    samples: [
      ...mailSamples.map(({ name, title }) => ({ id: `sample:${name}`, title, sms: false })),
      ...smsSamples.map(({ name, title }) => ({ id: `sample:${name}`, title, sms: true })),
    ],
  }
}

/** A captured message, or a sample. */
export interface MailboxMessage {
  sms: boolean
  to: string
  subject: string
  text: string
  html: string
  attachments: { filename: string; file_key: string }[]
  /** When the message was captured; null for a sample. */
  at: Instant | null
}

/** Loads a captured message, or the sample that `sample:<name>` names; null when there is none. */
export async function loadMailboxMessage({ db }: Pick<Services, 'db'>, id: string): Promise<MailboxMessage | null> {
  if (id.startsWith('sample:')) return sampleOf(id.slice('sample:'.length))
  const row = await db.read.selectFrom('mailbox').selectAll().where('message_id', '=', id).executeTakeFirst()
  if (!row) return null
  return {
    sms: row.channel === 'sms',
    to: row.recipient,
    subject: row.subject || 'Text message',
    text: row.text,
    html: row.html,
    attachments: attachmentsOf(row.attachments),
    at: row.created_at,
  }
}

function sampleOf(name: string): MailboxMessage | null {
  const common = { to: 'a sample, not sent', attachments: [], at: null }
  const notice = mailSamples.find((mailSample) => mailSample.name === name)?.notice()
  if (notice) return { ...common, sms: false, ...notice }
  const sms = smsSamples.find((smsSample) => smsSample.name === name)
  return sms ? { ...common, sms: true, subject: sms.title, text: sms.text(), html: '' } : null
}

/**
 * Loads a message with whether its phone number gets text messages; null when there is no message.
 * @returns `replies`: null for mails and samples, to which no phone replies
 */
export async function loadMailboxMessagePage(
  services: Pick<Services, 'db'>,
  id: string,
): Promise<{ message: MailboxMessage; replies: { hasConsent: boolean } | null } | null> {
  const message = await loadMailboxMessage(services, id)
  if (!message) return null
  const isSent = message.sms && message.at !== null
  return { message, replies: isSent ? { hasConsent: await hasTextConsent(services.db.read, message.to) } : null }
}
