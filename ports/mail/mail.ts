/** Outgoing mail. An adapter that cannot deliver throws; the outbox tries again. */
export interface MailMessage {
  /** Stable across tries, so that a server that saw it may drop the second. Letters, digits and `.@_-`. */
  messageId: string
  /** One bare address, 'renter@example.com'. */
  to: string
  /** 'Name <address>' or a bare address. */
  from: string
  replyTo?: string
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Uint8Array }[]
}
export interface Mail {
  /** @throws MailNotDelivered */
  send(message: MailMessage): Promise<void>
  /**
   * Whether its server is there and takes the log-in; nothing is sent. An adapter without a server has none.
   * @throws MailNotDelivered
   */
  check?(): Promise<void>
}

/**
 * The message did not go out. `permanent`: no later try of the same message can succeed. `server`: no other message
 * would go out either.
 */
export class MailNotDelivered extends Error {
  readonly permanent: boolean
  readonly server: boolean
  constructor(permanent: boolean, message: string, server = !permanent) {
    super(message)
    this.name = 'MailNotDelivered'
    this.permanent = permanent
    this.server = server
  }
}
