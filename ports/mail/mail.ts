/** Outgoing mail. An adapter that cannot deliver throws; the outbox tries again. */
export interface MailMessage {
  /** Stable across tries, so that a server that saw it may drop the second. */
  messageId: string
  to: string
  from: string
  replyTo?: string
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Uint8Array }[]
}
export interface Mail {
  send(message: MailMessage): Promise<void>
}
