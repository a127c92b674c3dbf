import { redirect } from 'react-router'
import { settleOrderAfterCardPage } from '../../modules/payments/operations/settle-order-after-card-page.ts'
import { isPaymentOfSession } from '../../modules/payments/rules/payment-visibility.ts'
import { loadOrderOnReturn } from '../../modules/payments/views/order-on-card-page-return.ts'
import type { OrderOutcome } from '../../modules/payments/views/unposted-order-outcome.ts'
import { browseAvailability } from '../../modules/reservations/texts/reserve.ts'
import { loadDraftOfSession } from '../open-journey-step.ts'
import { CheckedPaymentPage } from '../pay/parts/lost-session-outcome.tsx'
import { OutcomePage, outcomeTitles } from '../pay/parts/unposted-payment-outcome.tsx'
import { afterCancelled, recordForeignOrder, returnWithoutSession } from '../pay/settle-card-return.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { StepBar } from '../ui/step-progress-bar.tsx'
import type { Route } from './+types/rental-payment-return'

/** Marks the page as part of a payment, though it shows no price (app/root.tsx). */
export const handle = { quiet: true }

function requestedOrderId({ session }: RequestContext, request: Request): string {
  const { orderId, completedOrderId } = session.ids
  return new URL(request.url).searchParams.get('order') ?? orderId ?? completedOrderId ?? ''
}

/**
 * Handles the return from the card provider (spec 1 §4). A browser with a session settles only an order of its rental.
 * A browser without one settles the order in the address and sees neither names nor amounts.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { services, session } = site
  const orderId = requestedOrderId(site, request)
  if (orderId !== '' && orderId === session.ids.completedOrderId) throw redirect('/rental-completed')
  const checkedPayment = await returnWithoutSession(site, request)
  if (checkedPayment) return { checkedPayment }
  const draft = await loadDraftOfSession(site)
  if (!draft) return redirectWithAlert(site, 'invalidSession', '/')
  const order = orderId === '' ? undefined : await loadOrderOnReturn(services, orderId)
  if (!order || order.draft_id !== draft.draftId) return refuseOrder(site, orderId, order)

  const settled = await settleOrderAfterCardPage(services, order)
  // A browser that found the rental by name may return to an order that another browser opened. Of that order it sees
  // only the state and the amount.
  const isFromOtherBrowser = !isPaymentOfSession(draft, order)
  switch (settled.state) {
    case 'posted':
      session.set({ orderId: undefined, ...(draft.proof === 'own' && { completedOrderId: orderId }) })
      throw redirect('/rental-completed')
    case 'declined':
      throw redirect(
        settled.retriesUsedUp || order.method === 'ACH' ? '/payment-method' : '/process-payment?retry=true',
      )
    case 'cancelled':
      throw isFromOtherBrowser ? redirect('/payment-method') : afterCancelled(site, order, '/payment-method')
    case 'unknown':
      return refuseOrder(site, orderId, order)
    default:
      return {
        brand: site.brand.name,
        state: settled.state,
        amount: settled.outcome.amount,
        phone: settled.outcome.phone,
        ...shownOrder(settled.outcome, isFromOtherBrowser),
        checkedPayment: null,
      }
  }
}

/** Returns what a browser sees of the order besides its state and amount: nothing if another browser opened it. */
const shownOrder = ({ orderId, refundNotice, hasForm }: OrderOutcome, isFromOtherBrowser: boolean) =>
  isFromOtherBrowser ? { orderId: '', refundNotice: null, hasForm: false } : { orderId, refundNotice, hasForm }

/** Refuses an unknown or foreign order without details, and records a security event unless `orderId` is ''. */
function refuseOrder(site: RequestContext, orderId: string, order: { order_id: string } | undefined): never {
  recordForeignOrder(site.services, orderId, order)
  return redirectWithAlert(site, 'invalidPaymentSession', '/payment-method')
}

export default function ConfirmRentalPayment({ loaderData }: Route.ComponentProps) {
  if (loaderData.checkedPayment) return <CheckedPaymentPage {...loaderData.checkedPayment} />
  const { checkedPayment: _, ...outcome } = loaderData
  const { refundNotice } = outcome
  const isUnitLost = refundNotice?.trouble === 'unit_lost'
  return (
    <OutcomePage
      {...outcome}
      {...(isUnitLost && {
        title: 'We could not keep your unit',
        refundNotice: { ...refundNotice, title: outcomeTitles.refund },
      })}
      above={<StepBar step={5} />}
      keeps="Your unit stays yours meanwhile. "
      unsettled=", so your lease has not begun yet"
    >
      {refundNotice &&
        (refundNotice.trouble === 'already_rented' ? (
          <LinkButton href="/rental-completed">Go to your rental</LinkButton>
        ) : refundNotice.trouble === 'lease_void' ? (
          <LinkButton href="/payment-method">Back to the payment</LinkButton>
        ) : (
          <LinkButton href="/storage-units">{browseAvailability}</LinkButton>
        ))}
    </OutcomePage>
  )
}
