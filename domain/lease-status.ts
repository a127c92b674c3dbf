/** Status of a lease that has not ended. */
export type OpenLeaseStatus = 'Current' | 'Pre-Paid' | 'Past Due' | 'Auction'
export type LeaseStatus = OpenLeaseStatus | 'Closed'
