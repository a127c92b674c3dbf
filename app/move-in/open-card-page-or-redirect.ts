import { redirect } from 'react-router'
import { openRentalCardPage } from '../../modules/move-in/operations/open-rental-card-page.ts'
import type {
  MoveInPaymentRefusal,
  OpenMoveInResult,
} from '../../modules/payments/rules/move-in-payment-refusal-reasons.ts'
import type { StepPage } from '../open-journey-step.ts'
import { redirectWithAlert } from '../request/context.ts'

export type OpenedCardPage = Extract<OpenMoveInResult, { ok: true } | { why: 'price_changed' | 'unavailable' }>

/**
 * Opens the card page for the agreed price.
 * @param quoteId price to which the renter agrees now; by default the price agreed to before
 * @returns the opened page, or why it was not opened: price changed or provider unavailable
 * @throws a redirect if the rental is already complete, a payment is being checked, the lease is not signed, the renter
 *   has agreed to no price, or the hold is lost
 */
export async function openCardPage(
  { site, facts }: Pick<StepPage, 'site' | 'facts'>,
  draft: StepPage['draft'],
  quoteId?: string,
): Promise<OpenedCardPage> {
  const { tenant } = await site.callers()
  const result = await openRentalCardPage(site.services, draft, tenant, quoteId)
  if (result.ok) {
    site.session.set({ orderId: result.orderId })
    return result
  }
  return handlePaymentRefusal({ site, facts }, result)
}

/**
 * Returns why a move-in cannot be paid now: price changed or provider unavailable.
 * @throws a redirect for any other refusal
 */
export function handlePaymentRefusal(
  { site, facts }: Pick<StepPage, 'site' | 'facts'>,
  refusal: MoveInPaymentRefusal,
): Extract<MoveInPaymentRefusal, { why: 'price_changed' | 'unavailable' }> {
  switch (refusal.why) {
    case 'price_changed':
    case 'unavailable':
      return refusal
    case 'already_rented':
      throw redirect('/rental-completed')
    case 'checking':
      throw redirect(`/confirm-rental-payment?order=${refusal.orderId}`)
    case 'not_signed':
      throw redirect('/lease?from=process-payment')
    case 'no_quote':
      throw redirect('/payment-method')
    case 'hold_lost':
      return redirectWithAlert(site, 'holdExpired', facts.facilityPath)
  }
}
