import type { Charges } from '../../pricing/rules/charges.ts'

/** A price of a draft that was stored for the renter's consent. */
export interface StoredQuote {
  quoteId: string
  charges: Charges
  /** Amount due today, in cents. */
  total: number
  /** Epoch milliseconds. */
  expiresAt: number
}
