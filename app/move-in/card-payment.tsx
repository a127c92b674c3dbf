import { failedToInitializePayment } from '../../domain/texts/payment.ts'
import { readForm } from '../request/read-form-fields.ts'
import '../styles/card-frame-and-completed-pages.css'
import { data, redirect } from 'react-router'
import { attemptsOfDraft } from '../../modules/payments/rules/attempt-count-subject.ts'
import { loadLastFailure } from '../../modules/payments/views/last-failure.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep } from '../open-journey-step.ts'
import {
  CardAction,
  CardFrame,
  CardPageUnavailable,
  cardPageLead,
  PriceChangeConsent,
} from '../pay/parts/card-frame.tsx'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { ChargeStatementContext, OtherPaymentMethodContext } from '../ui/refusal-advice-react-contexts.ts'
import type { Route } from './+types/card-payment'
import { openCardPage } from './open-card-page-or-redirect.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/process-payment')
  const { site, draft, chrome } = page
  const retry = new URL(args.request.url).searchParams.get('retry') === 'true'
  const failed = retry ? await loadLastFailure(site.services, attemptsOfDraft(draft), 'any') : null
  const lastFailure = { failure: failed?.sentence ?? null, charged: failed?.charged ?? null }
  // `openCardPage` redirects to the payment-method page if the renter has not agreed to a price there.
  const result = await openCardPage(page, draft)
  if (result.ok) {
    const { orderId, payPageUrl, amount } = result
    return { chrome, ...lastFailure, card: { orderId, payPageUrl, amount }, changed: null }
  }
  if (result.why === 'price_changed') {
    const { changes, now } = result
    return { chrome, ...lastFailure, card: null, changed: { changes, quoteId: now.quoteId, total: now.total } }
  }
  return { chrome, ...lastFailure, card: null, changed: null }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/process-payment')
  const { quote = '' } = await readForm(args.request)
  const result = await openCardPage(page, page.draft, quote)
  if (!result.ok && result.why === 'price_changed') return data({ fields: {} }, { status: 409 })
  return redirect('/process-payment')
}

export const shouldRevalidate = revalidateOnConflict

export default function ProcessPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, failure, charged, card, changed } = loaderData
  const title = card?.amount === 0 ? 'Store your card' : 'Pay by card'
  const unsent = actionData && 'networkError' in actionData ? actionData.fields : null
  const problems: Record<string, string> =
    unsent ?? (failure ? { form: failure } : card || changed ? {} : { form: failedToInitializePayment })
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead={cardPageLead(card, changed !== null, 'Nothing is charged today.')}
      wrong={Object.keys(problems).length > 0}
      action={
        !card && (
          <CardAction
            total={changed?.total}
            button={changed?.total === 0 ? 'Store my card, pay $0.00' : undefined}
            self="/process-payment"
          />
        )
      }
    >
      {Object.keys(problems).length > 0 && (
        <div className="mt-6">
          <OtherPaymentMethodContext value="/payment-method">
            <ChargeStatementContext value={charged}>
              <ErrorSummary errors={problems} />
            </ChargeStatementContext>
          </OtherPaymentMethodContext>
        </div>
      )}
      {card && <CardFrame orderId={card.orderId} payPageUrl={card.payPageUrl} returns="/confirm-rental-payment" />}
      {changed && (
        <PriceChangeConsent {...changed} agreed={{ name: 'quote', value: changed.quoteId }} back="/payment-method" />
      )}
      {!card && !changed && (
        <CardPageUnavailable
          sentence="Your answers are kept and the unit stays yours until the time in the price summary."
          phone={chrome.phone}
        />
      )}
    </JourneyPage>
  )
}
