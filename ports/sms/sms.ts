/** The interface to the provider of text messages. */
export interface Sms {
  /**
   * Sends a text message; the outbox retries after a failure that is not permanent.
   * @param message.messageId the same for every attempt
   * @param message.to ten digits
   * @throws SmsNotDelivered
   */
  send(message: { messageId: string; to: string; text: string }): Promise<void>
  /**
   * Reads a reply that the provider posts to us, and verifies its signature.
   * @param post.url our address as it is configured at the provider
   * @returns null if the signature is missing or wrong, the request holds no reply of a ten-digit number, or no provider is
   *   configured
   */
  readReply(post: SmsPost): SmsReply | null
}

/** A request that the provider posts for a reply to a text message. */
export interface SmsPost {
  url: string
  body: string
  header(name: string): string | undefined
}

/** A reply to a text message. */
export interface SmsReply {
  /** The provider's id of the reply. */
  id: string
  /** Ten digits. */
  from: string
  text: string
}

/** Thrown when a text message was not sent. `permanent`: no later attempt can succeed. */
export class SmsNotDelivered extends Error {
  readonly permanent: boolean
  constructor(permanent: boolean, message: string) {
    super(message)
    this.name = 'SmsNotDelivered'
    this.permanent = permanent
  }
}
