/** The business events that metrics count, with their details. */
export interface BusinessEvents {
  payment: {
    order: string
    method: string
    payer: string
    /** 'refund': the payment was taken, could not be posted and is refunded. */
    outcome: 'posted' | 'declined' | 'review' | 'refund'
    /** Amount in cents. */
    cents: number
  }
  reservation: Record<never, never>
  billing: { periods: number; cents: number; movedOut: number }
  autopay: { outcome: 'posted' | 'refused' | 'unknown' }
  audit: { kind: string }
  /** The provider has a charge that our ledger does not. */
  unknown_order: { order: string }
}

/** Counts business events for metrics and the log. Call it after the commit; never throws, never waits. */
export interface BusinessEventCounter {
  count<What extends keyof BusinessEvents>(what: What, of: BusinessEvents[What]): void
}
