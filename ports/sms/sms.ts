/** Outgoing text messages. An adapter that cannot deliver throws; the outbox tries again. */
export interface Sms {
  /**
   * @param message.messageId stable across tries
   * @param message.to ten digits
   * @throws SmsNotDelivered
   */
  send(message: { messageId: string; to: string; text: string }): Promise<void>
  /**
   * A reply that the provider posts to us, proven to be the provider's.
   * @param post.url as the provider was given it
   * @returns null where the signature is missing or wrong
   */
  readReply(post: SmsPost): SmsReply | null
}

export interface SmsPost {
  url: string
  body: string
  header(name: string): string | undefined
}

export interface SmsReply {
  /** The provider's, of this message. */
  id: string
  /** Ten digits. */
  from: string
  text: string
}

/** The message did not go out. `permanent`: no later try of the same message can succeed. */
export class SmsNotDelivered extends Error {
  readonly permanent: boolean
  constructor(permanent: boolean, message: string) {
    super(message)
    this.name = 'SmsNotDelivered'
    this.permanent = permanent
  }
}
