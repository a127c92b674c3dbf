import { failedToInitializePayment } from '../../domain/texts/payment.ts'
import { LinkButton } from '../ui/buttons.tsx'
import type { Route } from './+types/card-payment'
import { acceptChangedPrice, checkoutCard, openCheckoutFlow } from './checkout-flow.ts'
import { CardAction, CardFrame, CardPageUnavailable, cardPageLead, PriceChangeConsent } from './parts/card-frame.tsx'
import { PayPage } from './parts/pay-page.tsx'
import { checkoutPayerOf, payerOf, paysByLink } from './payer-page-addresses.ts'
import { linkCard, openLinkFlow } from './payment-link-pages.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const payer = payerOf(args)
  return paysByLink(payer)
    ? linkCard(await openLinkFlow(args, payer), args.request)
    : checkoutCard(await openCheckoutFlow(args, payer), args.request)
}

export const action = async (args: Route.ActionArgs) =>
  acceptChangedPrice(await openCheckoutFlow(args, checkoutPayerOf(args)), args.request)

export default function Card({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, phone, back, close, self, returns, summary, card, changed, failure, charged } = loaderData
  const isUnavailable = !card && !changed
  const problem = failure ?? (isUnavailable ? failedToInitializePayment : null)
  return (
    <PayPage
      brand={brand}
      title={summary.total === 0 ? 'Your card for autopay' : 'Pay by card'}
      lead={cardPageLead(card, changed !== null, 'It keeps your card for autopay and charges nothing today.')}
      back={back}
      otherWay={back}
      summary={summary}
      problems={actionData?.fields ?? (problem ? { form: problem } : {})}
      charged={charged}
      action={!card && <CardAction total={changed?.total} self={self} />}
    >
      {card && (
        <>
          <p className="mt-4">
            <LinkButton kind="secondary" href={close}>
              {summary.total === 0 ? 'Close, keep no card' : 'Close without paying'}
            </LinkButton>
          </p>
          <CardFrame orderId={card.orderId} payPageUrl={card.payPageUrl} returns={returns} />
        </>
      )}
      {changed && (
        <PriceChangeConsent {...changed} agreed={{ name: 'checkout', value: changed.checkoutId }} back={back} />
      )}
      {isUnavailable && <CardPageUnavailable sentence="Trying again is safe." phone={phone} />}
    </PayPage>
  )
}
