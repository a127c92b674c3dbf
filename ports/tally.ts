/** What happened in the business, in the words of the metrics. */
export interface Happenings {
  payment: {
    order: string
    method: string
    payer: string
    /** 'refund': it was taken, could not be booked and goes back. */
    outcome: 'posted' | 'declined' | 'review' | 'refund'
    cents: number
  }
  reservation: Record<never, never>
  billing: { periods: number; cents: number; movedOut: number }
  autopay: { outcome: 'posted' | 'refused' | 'unknown' }
  audit: { kind: string }
  /** The provider charged what the books do not have. */
  unknown_order: { order: string }
}

/** Counts for metrics and the log. Called once it is committed; never throws, never waits. */
export interface Tally {
  count<What extends keyof Happenings>(what: What, of: Happenings[What]): void
}
