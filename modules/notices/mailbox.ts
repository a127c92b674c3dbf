/** The development mailbox: what the captured mail and SMS adapters keep, and what `/dev/mailbox` shows. */
import type { Database } from '../../platform/database/open.ts'
import type { MailboxTable } from '../../platform/schema/tables.ts'
import type { CapturedMessage, Mailbox } from '../../ports/mail/captured.ts'

export const mailboxOf = (db: Database): Mailbox => ({
  async keep(message: CapturedMessage) {
    // The job that sends is marked done after this and synced then: a power cut loses both or neither.
    await db.unsynced((write) =>
      write
        .insertInto('mailbox')
        .values(message)
        .onConflict((known) => known.column('message_id').doNothing())
        .execute(),
    )
  },
})

export const mailboxMessages = (db: Database): Promise<Omit<MailboxTable, 'html' | 'text'>[]> =>
  db.read
    .selectFrom('mailbox')
    .select(['message_id', 'channel', 'recipient', 'subject', 'attachments', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('message_id')
    .limit(200)
    .execute()

export const mailboxMessage = (db: Database, messageId: string): Promise<MailboxTable | undefined> =>
  db.read.selectFrom('mailbox').selectAll().where('message_id', '=', messageId).executeTakeFirst()
