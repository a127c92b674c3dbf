/** Business events that metrics count, by name, with their details. */
export interface BusinessEvents {
  payment: {
    order: string
    method: string
    payer: string
    /** 'refund': the payment was captured, could not be posted and is refunded. */
    outcome: 'posted' | 'declined' | 'review' | 'refund'
    /** Amount in cents. */
    cents: number
  }
  reservation: Record<never, never>
  billing: { periods: number; cents: number; movedOut: number }
  autopay: { outcome: 'posted' | 'refused' | 'unknown' }
  audit: { kind: string }
  /** The card provider has a charge, not fully refunded, for an order that the database does not have. */
  unknown_order: { order: string }
}

/** Counts business events for metrics and the log. Never throws, never waits. Callers count an event after its commit. */
export interface BusinessEventCounter {
  count<Event extends keyof BusinessEvents>(event: Event, details: BusinessEvents[Event]): void
}
