import { useState } from 'react'
import * as messages from '../../domain/texts/payment.ts'
import { rereadWhenStale, send } from '../reserve/sending.ts'
import type { Route } from './+types/method'
import { chooseMethod, methodData, openLane } from './checkout-flow.ts'
import { MethodForm, type MethodOption, PayPage, RetryNotice } from './parts/pay-parts.tsx'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** A tenant chooses how to pay (spec 2 §2 "Tenant payment"). */
export const loader = async (args: Route.LoaderArgs) => methodData(await openLane(args, 'tenant'))

export const action = (args: Route.ActionArgs) => chooseMethod(args, 'tenant')

export const shouldRevalidate = rereadWhenStale

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

export default function OnlinePaymentMethod({ loaderData, actionData }: Route.ComponentProps) {
  const { failure, feeWarning, ...page } = loaderData
  const [method, choose] = useState<MethodOption['value']>('CC')
  const fields: Record<string, string> = actionData?.fields ?? {}
  const problems: Record<string, string> = Object.keys(fields).length > 0 ? fields : failure ? { form: failure } : {}
  return (
    <PayPage
      brand={page.brand}
      title={page.keeps ? 'What should autopay charge?' : 'How would you like to pay?'}
      back={page.back}
      summary={method === 'ACH' ? page.bankSummary : page.summary}
      problems={problems}
    >
      <MethodForm
        checkoutId={page.checkoutId}
        total={page.summary.total}
        keeps={page.keeps}
        methods={page.methods}
        onMethod={choose}
        consent={page.consent}
        error={problems.method}
      >
        {feeWarning && (
          <p className="mt-6 max-w-text soft">
            {messages.cardProcessingFee}: {feeWarning} for a card payment without autopay.
          </p>
        )}
      </MethodForm>
      {page.retriesUsedUp && <RetryNotice phone={page.phone} />}
    </PayPage>
  )
}
