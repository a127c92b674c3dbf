import { useState } from 'react'
import { cardProcessingFee } from '../../domain/texts/payment.ts'
import { chooseMethod, methodData, openLane } from '../pay/checkout-flow.ts'
import { MethodForm, type MethodOption, PayPage, RetryNotice } from '../pay/parts/pay-parts.tsx'
import { rereadWhenStale, send } from '../reserve/sending.ts'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/select-method'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** A guest chooses how to pay; without autopay the card fee is warned of (spec 2 §4 "Card fee"). */
export const loader = async (args: Route.LoaderArgs) => methodData(await openLane(args, 'guest'))

export const action = (args: Route.ActionArgs) => chooseMethod(args, 'guest')

export const shouldRevalidate = rereadWhenStale

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

export default function SelectMethod({ loaderData, actionData }: Route.ComponentProps) {
  const { failure, feeWarning, ...page } = loaderData
  const [method, choose] = useState<MethodOption['value']>('CC')
  const fields: Record<string, string> = actionData?.fields ?? {}
  const problems: Record<string, string> = Object.keys(fields).length > 0 ? fields : failure ? { form: failure } : {}
  return (
    <PayPage
      brand={page.brand}
      title="How would you like to pay?"
      back={page.back}
      summary={method === 'ACH' ? page.bankSummary : page.summary}
      problems={problems}
    >
      {feeWarning && (
        <div className="mt-6 max-w-text">
          <Callout tone="warn" title={cardProcessingFee}>
            <p>
              Paying by card without autopay adds {feeWarning} to this payment. With autopay, or from a bank account
              where that is offered, there is no such fee.
            </p>
          </Callout>
        </div>
      )}
      <MethodForm
        checkoutId={page.checkoutId}
        total={page.summary.total}
        methods={page.methods}
        onMethod={choose}
        consent={page.consent}
        error={problems.method}
      />
      {page.retriesUsedUp && <RetryNotice phone={page.phone} />}
    </PayPage>
  )
}
