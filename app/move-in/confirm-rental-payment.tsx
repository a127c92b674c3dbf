import '../styles/paying.css'
import { redirect } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { browseAvailability } from '../../domain/texts/reserve.ts'
import { settlePayment } from '../../paying/move-in.ts'
import { type Payment, paymentOf } from '../../paying/payment.ts'
import { isOfSession } from '../../paying/receipt.ts'
import { phoneFor } from '../../site-records/find-storage.ts'
import { currentDraft } from '../journey.ts'
import { Checking, MoneyGoesBack } from '../pay/parts/pay-parts.tsx'
import { gaveUp, noteForeignOrder, wentBack } from '../pay/return-from-card.ts'
import { alertAndGo, type Site, siteOf } from '../site.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { StepBar } from '../ui/journey.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { DataList } from '../ui/records.tsx'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/confirm-rental-payment'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/**
 * Back from the card provider (spec 1 §4). Nothing in the address is believed but the order's number, and that only where
 * it is this session's own: the provider is asked. Opened any number of times it comes to the same end (case 6).
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const site = siteOf(context)
  const { house, session } = site
  const draft = await currentDraft(site)
  if (!draft) return alertAndGo(site, 'invalidSession', '/')
  const orderId = new URL(request.url).searchParams.get('order') ?? session.ids.orderId ?? ''
  if (orderId !== '' && orderId === session.ids.completedOrderId) throw redirect('/rental-completed')
  const payment = orderId === '' ? undefined : await paymentOf(house, orderId)
  if (!payment || payment.draft_id !== draft.draftId) return refused(site, orderId, payment)

  const settled = await settlePayment(house, orderId)
  // Opened by another browser than this one, which found the rental by names: told that it is paid for, and no more.
  const others = !isOfSession(draft, payment)
  switch (settled.state) {
    case 'posted':
      session.set({ orderId: undefined, ...(draft.proof === 'own' && { completedOrderId: orderId }) })
      throw redirect('/rental-completed')
    case 'declined':
      throw redirect(
        settled.retriesUsedUp || payment.method === 'ACH' ? '/payment-method' : '/process-payment?retry=true',
      )
    case 'cancelled':
      throw others ? redirect('/payment-method') : gaveUp(site, payment, '/payment-method')
    case 'unknown':
      return refused(site, orderId, payment)
    default: {
      const location = await house.db.read
        .selectFrom('locations')
        .select(['phone', 'state'])
        .where('location_code', '=', draft.locationCode)
        .executeTakeFirst()
      return {
        brand: site.brand.name,
        state: settled.state,
        orderId: others ? '' : orderId,
        amount: payment.amount,
        phone: formatPhone(await phoneFor(house, location ?? null)),
        wentBack: settled.state === 'refund' && !others ? await wentBack(site, orderId) : null,
      }
    }
  }
}

/** Another's order, or none at all: told nothing about it, and written down (case 7). */
function refused(site: Site, orderId: string, payment: Pick<Payment, 'order_id'> | undefined): never {
  noteForeignOrder(site.house, orderId, payment)
  return alertAndGo(site, 'invalidPaymentSession', '/payment-method')
}

export default function ConfirmRentalPayment({ loaderData }: Route.ComponentProps) {
  const { brand, state, orderId, amount, phone, wentBack } = loaderData
  const lost = wentBack?.trouble === 'unit_lost'
  const title = lost ? 'We could not keep your unit' : titles[state]
  const call = <PhoneLink phone={phone} />
  return (
    <PageFrame>
      <title>{pageTitle(title, brand)}</title>
      <StepBar step={5} />
      <div className="max-w-text">
        <h1>{title}</h1>
        {state === 'checking' && <Checking keeps="Your unit stays yours meanwhile. " />}
        {state === 'review' && (
          <div className="mt-6">
            <Callout tone="warn" title="Somebody here looks at it first">
              <p>
                What was approved is not what we asked for, so your lease has not begun yet. We sort it out or give the
                money back, and write to you either way. Please do not pay again.
              </p>
            </Callout>
          </div>
        )}
        {wentBack && <MoneyGoesBack {...wentBack} title={lost ? titles.refund : wentBack.title} />}
        <div className="mt-6">
          <DataList
            facts={[
              ...(orderId ? [{ label: 'Order number', value: <span className="num break-all">{orderId}</span> }] : []),
              { label: 'Amount', value: <span className="num">{formatCents(amount)}</span> },
            ]}
          />
        </div>
        <p className="mt-6">Questions? Call {call} and tell us the order number.</p>
        {wentBack && (
          <ButtonRow>
            {wentBack.trouble === 'already_rented' ? (
              <LinkButton href="/rental-completed">Go to your rental</LinkButton>
            ) : wentBack.trouble === 'lease_void' ? (
              <LinkButton href="/payment-method">Back to the payment</LinkButton>
            ) : (
              <LinkButton href="/storage-units">{browseAvailability}</LinkButton>
            )}
          </ButtonRow>
        )}
      </div>
    </PageFrame>
  )
}

const titles = {
  checking: 'We are checking your payment',
  review: 'Your payment needs a second look',
  refund: 'Your money is on its way back',
} as const
