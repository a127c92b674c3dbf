import type { Cents } from '../../../domain/money.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadSupportPhone } from '../../facilities/views/support-phone.ts'
import { debitAuthorizationText } from '../../payments/bank/bank-debit.ts'
import { moveInConsent } from '../../payments/texts/move-in-autopay-consent.ts'
import { findCapturedOrder } from '../../payments/views/lookups-between-drafts-and-orders.ts'
import type { DraftQuote } from '../../reservations/draft-price.ts'
import { storeQuote } from '../../reservations/draft-quote.ts'
import type { DraftFacts } from '../../reservations/load-draft-facts.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'

/** Price of a rental by bank account, to which the renter agrees by paying. */
export interface BankPaymentOffer {
  quoteId: string
  amount: Cents
  /** Text by which the renter authorizes the debit. */
  authorization: string
  /** Phone number to call about the facility, formatted. */
  phone: string
}

/**
 * Stores the price of a signed rental for its renter's consent, and loads the authorization of the bank debit.
 * @returns the id of an order that is captured or in review, where there is one; null where the unit type is gone
 */
export async function quoteBankPayment(
  services: Services,
  { draft, facts, quote: { autopay } }: { draft: Draft; facts: DraftFacts; quote: DraftQuote },
): Promise<BankPaymentOffer | { capturedOrderId: string } | null> {
  const capturedOrderId = await findCapturedOrder(services, draft)
  if (capturedOrderId) return { capturedOrderId }
  const quote = await storeQuote(services, draft)
  if (!quote) return null
  const { charges, total } = quote
  return {
    quoteId: quote.quoteId,
    amount: total,
    authorization: await debitAuthorizationText(services, facts.facility, {
      amount: total,
      consent: autopay ? moveInConsent(charges.thenPerPeriod, charges.nextBilling) : null,
    }),
    phone: await loadSupportPhone(services, facts.facility.location),
  }
}
