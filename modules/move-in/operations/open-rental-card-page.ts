import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { openMoveInPayment } from '../../payments/open/open-move-in-payment.ts'
import type { OpenMoveInResult } from '../../payments/rules/move-in-payment-refusal-reasons.ts'
import { loadAgreedQuoteId } from '../../payments/views/lookups-between-drafts-and-orders.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'

/**
 * Opens the card page of a session's signed rental.
 * @param quoteId price to which the renter agrees now; by default the price agreed to before
 * @returns 'no_quote' where the renter has agreed to none
 */
export async function openRentalCardPage(
  services: Services,
  draft: Draft,
  tenant: TenantCaller | undefined,
  quoteId?: string,
): Promise<OpenMoveInResult> {
  const agreedQuoteId = quoteId ?? (await loadAgreedQuoteId(services, draft))
  if (agreedQuoteId === null) return { ok: false, why: 'no_quote' }
  return openMoveInPayment(services, draft, { quoteId: agreedQuoteId, tenant })
}
