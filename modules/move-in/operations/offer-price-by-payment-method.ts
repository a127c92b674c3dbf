import type { Cents } from '../../../domain/money.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeaseFacts } from '../../agreements/texts/lease-text.ts'
import type { Failure } from '../../payments/order-outcome-and-attempts.ts'
import { attemptsOfDraft } from '../../payments/rules/attempt-count-subject.ts'
import { areRetriesUsedUp, loadLastFailure } from '../../payments/views/last-failure.ts'
import { findCapturedOrder } from '../../payments/views/lookups-between-drafts-and-orders.ts'
import { type DraftQuote, priceDraft } from '../../reservations/draft-price.ts'
import { storeQuote } from '../../reservations/draft-quote.ts'
import type { DraftFacts } from '../../reservations/load-draft-facts.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { leaseInProgress } from '../sign-lease.ts'

/** Price of a rental by one payment method: today, and for each later period. */
export interface MethodPrice {
  lines: { label: string; explain: string; cents: Cents }[]
  totalCents: Cents
  thenCents: Cents
}

/** Data that a renter reviews before paying. */
export interface PaymentOffer {
  lease: LeaseFacts
  /** Card price to which the renter agrees by pressing Pay. For a bank account the bank page asks for consent. */
  quoteId: string
  total: Cents
  /** Prices by method; `ACH` is null where the facility takes no bank payments. */
  prices: { CC: MethodPrice | null; ACH: MethodPrice | null }
  /** Why the last attempt to pay failed; null if it did not. */
  failure: Failure | null
  retriesUsedUp: boolean
}

/**
 * Stores the card price of a signed rental for its renter's consent, and loads the review before paying.
 * @returns the id of an order that is captured or in review, where there is one; null where the unit type is gone
 */
export async function offerPaymentMethods(
  services: Services,
  rental: { draft: Draft; facts: DraftFacts; quote: DraftQuote },
  account: TenantCaller | undefined,
): Promise<PaymentOffer | { capturedOrderId: string } | null> {
  const { draft, facts } = rental
  const capturedOrderId = await findCapturedOrder(services, draft)
  if (capturedOrderId) return { capturedOrderId }
  const attempts = attemptsOfDraft(draft)
  const withMethod = (paymentMethod: 'CC' | 'ACH') => ({ ...draft, answers: { ...draft.answers, paymentMethod } })
  const [lease, failure, cardQuote] = await Promise.all([
    leaseInProgress(services, draft, rental, account),
    loadLastFailure(services, attempts, 'last'),
    storeQuote(services, withMethod('CC')),
  ])
  if (!cardQuote) return null
  const priceBy = (method: 'CC' | 'ACH') => priceOf(priceDraft(facts.facility, withMethod(method), facts.reservation))
  return {
    lease,
    quoteId: cardQuote.quoteId,
    total: cardQuote.total,
    prices: { CC: priceBy('CC'), ACH: facts.place.allowAch ? priceBy('ACH') : null },
    failure,
    retriesUsedUp: await areRetriesUsedUp(services, attempts, failure),
  }
}

const priceOf = (quote: DraftQuote | null): MethodPrice | null =>
  quote && {
    lines: quote.charges.lines.map(({ label, explain, cents }) => ({ label, explain, cents })),
    totalCents: quote.charges.dueToday,
    thenCents: quote.charges.thenPerPeriod,
  }
