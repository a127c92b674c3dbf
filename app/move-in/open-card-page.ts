import { redirect } from 'react-router'
import {
  type MoveInPaymentRefusal,
  type OpenMoveInResult,
  openMoveInPayment,
} from '../../modules/payments/open/open-move-in-payment.ts'
import type { Draft } from '../../modules/reservations/rules/journey/draft.ts'
import type { StepPage } from '../open-journey-step.ts'
import { redirectWithAlert } from '../request/context.ts'

/** Returns the payment key of a draft for `countFailedAttempts` and `loadLastFailure`. */
export const draftAttemptSubject = (draft: Draft) => ({ draft_id: draft.draftId, link_uuid: null, quote_id: null })

export type OpenedCardPage = Extract<OpenMoveInResult, { ok: true } | { why: 'price_changed' | 'unavailable' }>

/**
 * Opens the card page for the agreed price.
 * @returns the opened page, or why it was not opened: price changed or provider unavailable
 * @throws a redirect when another step comes first
 */
export async function openCardPage(
  { site, facilityPath }: Pick<StepPage, 'site' | 'facilityPath'>,
  draft: Draft,
  quoteId: string,
): Promise<OpenedCardPage> {
  const { tenant } = await site.callers()
  const result = await openMoveInPayment(site.services, draft, { quoteId, tenant })
  if (result.ok) {
    site.session.set({ orderId: result.orderId })
    return result
  }
  return handlePaymentRefusal({ site, facilityPath }, result)
}

/**
 * Returns why a move-in cannot be paid now: price changed or provider unavailable.
 * @throws a redirect when another step comes first
 */
export function handlePaymentRefusal(
  { site, facilityPath }: Pick<StepPage, 'site' | 'facilityPath'>,
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
      return redirectWithAlert(site, 'holdExpired', facilityPath)
  }
}
