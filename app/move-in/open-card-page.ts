import { redirect } from 'react-router'
import {
  type MoveInPaymentRefusal,
  type OpenMoveInResult,
  openMoveInPayment,
} from '../../modules/payments/open/open-move-in-payment.ts'
import type { Draft } from '../../modules/reservations/draft-facts.ts'
import type { StepPage } from '../open-journey-step.ts'
import { redirectWithAlert } from '../request/context.ts'

/** Returns the payment key of a draft for `countFailedAttempts` and `loadLastFailure`. */
export const draftAttemptSubject = (draft: Draft) => ({ draft_id: draft.draftId, link_uuid: null, quote_id: null })

export type OpenedCardPage = Extract<OpenMoveInResult, { ok: true } | { why: 'price_changed' | 'unavailable' }>

/**
 * Opens the card page for the agreed price.
 * @returns the opened page, or why it stays closed: price changed or provider unavailable
 * @throws a redirect when another step comes first
 */
export async function openCardPage(
  { site, facilityPath }: Pick<StepPage, 'site' | 'facilityPath'>,
  draft: Draft,
  quoteId: string,
): Promise<OpenedCardPage> {
  const { tenant } = await site.callers()
  const opened = await openMoveInPayment(site.services, draft, { quoteId, tenant })
  if (opened.ok) {
    site.session.set({ orderId: opened.orderId })
    return opened
  }
  return handlePaymentRefusal({ site, facilityPath }, opened)
}

/**
 * Returns why a move-in cannot be paid now: price changed or provider unavailable.
 * @throws a redirect when another step comes first
 */
export function handlePaymentRefusal(
  { site, facilityPath }: Pick<StepPage, 'site' | 'facilityPath'>,
  opened: MoveInPaymentRefusal,
): Extract<MoveInPaymentRefusal, { why: 'price_changed' | 'unavailable' }> {
  switch (opened.why) {
    case 'price_changed':
    case 'unavailable':
      return opened
    case 'already_rented':
      throw redirect('/rental-completed')
    case 'checking':
      throw redirect(`/confirm-rental-payment?order=${opened.orderId}`)
    case 'not_signed':
      throw redirect('/lease?from=process-payment')
    case 'no_quote':
      throw redirect('/payment-method')
    case 'hold_lost':
      return redirectWithAlert(site, 'holdExpired', facilityPath)
  }
}
