/** An outgoing mail. */
export interface MailMessage {
  /** Message id, equal for every attempt, so that a server may drop a duplicate: 'a@b' of letters, digits and `._+-`, without + in b. */
  messageId: string
  /** One bare address, 'renter@example.com'. */
  to: string
  /** 'Name <address>' or a bare address. */
  from: string
  subject: string
  text: string
  html: string
  attachments: { filename: string; contentType: string; content: Uint8Array }[]
}

/** The interface to the mail server. */
export interface Mail {
  /** Sends a mail; the outbox retries after a failure that is not permanent. @throws MailNotDelivered */
  send(message: MailMessage): Promise<void>
  /**
   * Checks that the mail server accepts a connection and the log-in; sends nothing. Absent in adapters without a
   * server.
   * @throws MailNotDelivered
   */
  check?(): Promise<void>
}

/**
 * Thrown when a mail was not sent. `permanent`: no later attempt can succeed. `server`: other mails would fail too,
 * since the server or the log-in has the problem.
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
