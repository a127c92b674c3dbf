import type { Cents } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { signatureFaultMessages } from '../../agreements/signature/validate-drawn-or-typed-signature.ts'
import type { Section } from '../../agreements/texts/lease-text.ts'
import { isFirstMonthFree } from '../../pricing/rules/discount.ts'
import { cardFeeOf } from '../../pricing/rules/unit-type-fees.ts'
import { type DraftQuote, priceDraft } from '../../reservations/draft-price.ts'
import { storeQuote } from '../../reservations/draft-quote.ts'
import type { DraftFacts } from '../../reservations/load-draft-facts.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { wantsAutopay } from '../../reservations/rules/journey/journey-answers.ts'
import { loadSignerName, previewLease } from '../sign-lease.ts'
import { signerNameMissing } from '../texts/move-in.ts'

interface OpenedRental {
  draft: Draft
  facts: DraftFacts
  quote: DraftQuote
}

/** Price of a rental in cents, with the chosen autopay setting, and today's amount with the other setting. */
export interface AutopayChoice {
  autopay: boolean
  dueToday: Cents
  otherDueToday: Cents
  /** Charge per period with autopay, whether autopay is on or off now. */
  autopayPerPeriod: Cents
  /** Day of the next charge: '12/20/2026'. */
  nextBilling: string
  /** Description of the First Month Free that requires autopay; '' without one. */
  freeMonth: string
  /** The facility's fee before tax for a card payment without autopay; 0 for none. */
  cardFee: Cents
}

/** The lease of a rental in progress, as its renter reads it before signing. */
export interface OfferedLease extends AutopayChoice {
  sections: Section[]
  /** Price to which the renter consents by signing; '' where the unit type is gone. */
  quoteId: string
  /** Name of the tenant who signs; '' where this session may not read it. */
  signer: string
  /** Errors of a signing form that was left empty. */
  missing: { signature: string; signer: string }
}

/** Stores the price of a rental in progress for its renter's consent, and loads the lease as it would be signed now. */
export async function offerLease(
  services: Services,
  rental: OpenedRental,
  account: TenantCaller | undefined,
): Promise<OfferedLease> {
  const { draft } = rental
  const [lease, stored, signer] = await Promise.all([
    previewLease(services, draft, account),
    storeQuote(services, draft),
    loadSignerName(services, draft, account),
  ])
  return {
    ...autopayChoice(rental),
    sections: lease.sections,
    quoteId: stored?.quoteId ?? '',
    signer,
    missing: { signature: signatureFaultMessages.missing, signer: signerNameMissing },
  }
}

function autopayChoice({ draft, facts, quote }: OpenedRental): AutopayChoice {
  const autopay = wantsAutopay(facts.answers)
  const otherQuote = priceDraft(
    facts.facility,
    { ...draft, answers: { ...draft.answers, autopay: !autopay } },
    facts.reservation,
  )
  const firstMonthFree = [quote.discount, otherQuote?.discount].find((discount) => isFirstMonthFree(discount ?? null))
  return {
    autopay,
    dueToday: quote.charges.dueToday,
    otherDueToday: otherQuote?.charges.dueToday ?? quote.charges.dueToday,
    autopayPerPeriod: ((autopay ? quote : otherQuote) ?? quote).charges.thenPerPeriod,
    nextBilling: formatUs(quote.charges.nextBilling),
    freeMonth: firstMonthFree ? firstMonthFree.description : '',
    cardFee: cardFeeOf(facts.facility, draft.unitTypeId)?.amount ?? 0,
  }
}
