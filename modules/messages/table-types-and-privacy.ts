import type { Json } from '../../platform/schema/json-and-sealed-types.ts'
import type { TableCards } from '../../platform/schema/table-privacy-card-type.ts'
import { attachmentsOf } from './development-mailbox.ts'

declare module '../../platform/schema/narrowed-column-types.ts' {
  interface Columns {
    /** Messages received by the capturing mail and SMS adapters; shown by the development mailbox. */
    mailbox: {
      channel: 'mail' | 'sms'
      /** [{filename, file_key, content_type}] */
      attachments: Json
    }
  }
}

export const messagesCards: TableCards = {
  mailbox: {
    file: 'captured-mails',
    name: 'Mails and texts kept here',
    rows: 'recipient',
    by: 'message_id',
    erasure: 'rows',
    shown: ['created_at', 'channel', 'recipient', 'subject', 'text'],
    hidden: ['message_id', 'html', 'attachments'],
    files: (row) => attachmentsOf(row.attachments).map((attachment) => attachment.file_key),
  },
}
