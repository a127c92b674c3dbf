/** Outgoing text messages. An adapter that cannot deliver throws; the outbox tries again. */
export interface Sms {
  /**
   * @param message.messageId stable across tries
   * @param message.to ten digits
   * @throws SmsNotDelivered
   */
  send(message: { messageId: string; to: string; text: string }): Promise<void>
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
