import type { PriceChange } from '../../pricing/rules/changed-price-of-quote-type.ts'
import type { StoredQuote } from '../../reservations/rules/stored-draft-quote-type.ts'

/** Opened card page of a move-in, or the reason why it was not opened. */
export type OpenMoveInResult = { ok: true; orderId: string; payPageUrl: string; amount: number } | MoveInPaymentRefusal

/** Reason why a move-in cannot be paid. */
export type MoveInPaymentRefusal =
  | { ok: false; why: 'already_rented' }
  | { ok: false; why: 'checking'; orderId: string }
  | { ok: false; why: 'hold_lost' }
  | { ok: false; why: 'not_signed' }
  /** The price has changed since consent, or the quote has expired; the renter is to agree to `now` instead. */
  | { ok: false; why: 'price_changed'; changes: PriceChange[]; now: StoredQuote }
  | { ok: false; why: 'no_quote' }
  | { ok: false; why: 'unavailable' }
