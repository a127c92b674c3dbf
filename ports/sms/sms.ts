/** Outgoing text messages. An adapter that cannot deliver throws; the outbox tries again. */
export interface Sms {
  /** @param to ten digits */
  send(message: { messageId: string; to: string; text: string }): Promise<void>
}
