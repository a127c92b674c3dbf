import { redirect } from 'react-router'
import { loadPayment, type Payment } from '../../modules/payments/payment.ts'
import { isPaymentOfSession } from '../../modules/payments/receipt.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { browseAvailability } from '../../modules/reservations/texts/reserve.ts'
import { currentDraft } from '../journey.ts'
import { CheckedPaymentPage } from '../pay/parts/checked-payment.tsx'
import { OutcomePage, outcomeTitles } from '../pay/parts/payment-outcome.tsx'
import {
  afterCancelled,
  loadPaymentOutcome,
  recordForeignOrder,
  returnWithoutSession,
} from '../pay/return-from-card.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { StepBar } from '../ui/journey.tsx'
import type { Route } from './+types/confirm-rental-payment'

export const handle = { quiet: true }

function orderAsked({ session }: RequestContext, request: Request): string {
  const { orderId, completedOrderId } = session.ids
  return new URL(request.url).searchParams.get('order') ?? orderId ?? completedOrderId ?? ''
}

/**
 * Handles the return from the card provider (spec 1 §4).
 * It asks the provider about the session's own order only.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services, session } = site
  const orderId = orderAsked(site, request)
  if (orderId !== '' && orderId === session.ids.completedOrderId) throw redirect('/rental-completed')
  const lost = await returnWithoutSession(site, request)
  if (lost) return { lost }
  const draft = await currentDraft(site)
  if (!draft) return redirectWithAlert(site, 'invalidSession', '/')
  const payment = orderId === '' ? undefined : await loadPayment(services, orderId)
  if (!payment || payment.draft_id !== draft.draftId) return refused(site, orderId, payment)

  const settled = await settlePayment(services, orderId)
  // The order may come from another browser that found this rental by names. That browser only learns that it is paid.
  const others = !isPaymentOfSession(draft, payment)
  switch (settled.state) {
    case 'posted':
      session.set({ orderId: undefined, ...(draft.proof === 'own' && { completedOrderId: orderId }) })
      throw redirect('/rental-completed')
    case 'declined':
      throw redirect(
        settled.retriesUsedUp || payment.method === 'ACH' ? '/payment-method' : '/process-payment?retry=true',
      )
    case 'cancelled':
      throw others ? redirect('/payment-method') : afterCancelled(site, payment, '/payment-method')
    case 'unknown':
      return refused(site, orderId, payment)
    default: {
      const outcome = await loadPaymentOutcome(site, payment, settled.state)
      return { ...outcome, lost: null, ...(others && { orderId: '', wentBack: null, hasForm: false }) }
    }
  }
}

/** Refuses an order that is not the session's, without details, and records a security event. */
function refused(site: RequestContext, orderId: string, payment: Pick<Payment, 'order_id'> | undefined): never {
  recordForeignOrder(site.services, orderId, payment)
  return redirectWithAlert(site, 'invalidPaymentSession', '/payment-method')
}

export default function ConfirmRentalPayment({ loaderData }: Route.ComponentProps) {
  if (loaderData.lost) return <CheckedPaymentPage {...loaderData.lost} />
  const { lost: _, ...outcome } = loaderData
  const { wentBack } = outcome
  const unitLost = wentBack?.trouble === 'unit_lost'
  return (
    <OutcomePage
      {...outcome}
      {...(unitLost && {
        title: 'We could not keep your unit',
        wentBack: { ...wentBack, title: outcomeTitles.refund },
      })}
      above={<StepBar step={5} />}
      keeps="Your unit stays yours meanwhile. "
      unsettled=", so your lease has not begun yet"
    >
      {wentBack &&
        (wentBack.trouble === 'already_rented' ? (
          <LinkButton href="/rental-completed">Go to your rental</LinkButton>
        ) : wentBack.trouble === 'lease_void' ? (
          <LinkButton href="/payment-method">Back to the payment</LinkButton>
        ) : (
          <LinkButton href="/storage-units">{browseAvailability}</LinkButton>
        ))}
    </OutcomePage>
  )
}
