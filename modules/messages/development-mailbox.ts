/** Development mailbox: stores the messages of the capturing mail and SMS adapters, for `/dev/mailbox`. */

import { DAY } from '../../domain/durations.ts'
import { hasFields, isListOf, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { CapturedMessage, Mailbox } from '../../ports/mail/captured.ts'

/** Creates the mailbox in which the capturing mail and SMS adapters store messages. */
export const createMailbox = (db: Database): Mailbox => ({
  async keep(message: CapturedMessage) {
    // The sending job is marked done later, by a commit that waits for fsync. A power cut before that may lose the
    // message, but then the job runs again.
    await db.withoutFsync((connection) =>
      connection
        .insertInto('mailbox')
        .values(message)
        .onConflict((conflict) => conflict.column('message_id').doNothing())
        .execute(),
    )
  },
})

/** Parses the `attachments` of a captured message: the name and the storage key of each file. */
export const attachmentsOf = (attachments: string) =>
  parseJson(attachments, isListOf(hasFields<{ filename: string; file_key: string }>('file_key')))

const RETENTION_MS = 30 * DAY

/** Deletes captured messages older than 30 days, with their attachments. @returns the number of deleted messages */
export function deleteOldMessages({ db, clock, files }: Services, stopping: () => boolean): Promise<number> {
  return deleteInBatches(async (limit) => {
    const old = await db.read
      .selectFrom('mailbox')
      .select(['message_id', 'attachments'])
      .where('created_at', '<', clock.now() - RETENTION_MS)
      .limit(limit)
      .execute()
    for (const { attachments } of old)
      for (const { file_key } of attachmentsOf(attachments)) await files.delete(file_key)
    const ids = old.map(({ message_id }) => message_id)
    if (ids.length === 0) return { numDeletedRows: 0n }
    return db.write.deleteFrom('mailbox').where('message_id', 'in', ids).executeTakeFirstOrThrow()
  }, stopping)
}
