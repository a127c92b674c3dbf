import { createHash } from 'node:crypto'
import type { Clock } from '../clock-and-random.ts'
import type { Files } from '../files/files.ts'
import { headerSafeMessage } from './header-safe-message.ts'
import { type Mail, MailNotDelivered } from './mail.ts'

/** A mail or text message that was stored instead of sent. */
export interface CapturedMessage {
  message_id: string
  channel: 'mail' | 'sms'
  recipient: string
  subject: string
  text: string
  html: string
  /** JSON [{filename, file_key, content_type}] */
  attachments: string
  created_at: number
}

/** A store of captured messages. A message id that is stored already is ignored: the outbox may send twice. */
export interface Mailbox {
  keep(message: CapturedMessage): Promise<void>
}

/**
 * Stores mails for the mailbox page instead of sending them. Addresses at `refused.test` fail permanently, at
 * `busy.test` temporarily.
 */
export function capturedMail(parts: { mailbox: Mailbox; files: Files; clock: Clock }): Mail {
  const { mailbox, files, clock } = parts
  return {
    async send(message) {
      const safe = headerSafeMessage(message)
      if (safe.to.endsWith('@refused.test')) throw new MailNotDelivered(true, '550 No such mailbox')
      if (safe.to.endsWith('@busy.test')) throw new MailNotDelivered(false, '451 Try again later', false)
      const folder = `mailbox/${createHash('sha256').update(safe.messageId).digest('hex').slice(0, 32)}`
      const attachments = []
      for (const [index, { filename, contentType, content }] of safe.attachments.entries()) {
        const file_key = `${folder}/${index + 1}`
        await files.put(file_key, content, contentType)
        attachments.push({ filename, file_key, content_type: contentType })
      }
      await mailbox.keep({
        message_id: safe.messageId,
        channel: 'mail',
        recipient: safe.to,
        subject: safe.subject,
        text: safe.text,
        html: safe.html,
        attachments: JSON.stringify(attachments),
        created_at: clock.now(),
      })
    },
  }
}
