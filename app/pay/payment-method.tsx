import { useState } from 'react'
import { cardProcessingFee } from '../../domain/texts/payment.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { formatCents } from '../ui/money.tsx'
import { callHref } from '../ui/phone-link.tsx'
import type { Route } from './+types/payment-method'
import { checkoutMethod, chooseMethod, openCheckoutFlow } from './checkout-flow.ts'
import { cardOption, MethodAction, MethodForm, type MethodOption, TooManyAttemptsDialog } from './parts/method-form.tsx'
import { PayPage } from './parts/pay-page.tsx'
import { checkoutPayerOf, payerOf, paysByLink } from './payer-page-addresses.ts'
import { linkMethod, openLinkFlow } from './payment-link-pages.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

/** Sends no referrer from a payment link's page, since its address is secret. */
export const meta = ({ params }: Route.MetaArgs) => [
  { name: 'robots', content: 'noindex' },
  ...('uuid' in params ? [{ name: 'referrer', content: 'no-referrer' }] : []),
]

export async function loader(args: Route.LoaderArgs) {
  const payer = payerOf(args)
  return paysByLink(payer)
    ? linkMethod(await openLinkFlow(args, payer), args.request)
    : checkoutMethod(await openCheckoutFlow(args, payer), args.request)
}

export const action = async (args: Route.ActionArgs) =>
  chooseMethod(await openCheckoutFlow(args, checkoutPayerOf(args)), args.request)

export const shouldRevalidate = revalidateOnConflict

const title = 'How would you like to pay?'

export default function Method({ loaderData, actionData }: Route.ComponentProps) {
  return 'methods' in loaderData ? (
    <CheckoutMethod {...loaderData} fields={actionData?.fields ?? {}} />
  ) : (
    <LinkMethod {...loaderData} />
  )
}

function CheckoutMethod({
  fields,
  failure,
  feeWarning,
  ...page
}: Awaited<ReturnType<typeof checkoutMethod>> & { fields: Record<string, string> }) {
  const [method, setMethod] = useState<MethodOption['value']>('CC')
  const problems: Record<string, string> = Object.keys(fields).length > 0 ? fields : failure ? { form: failure } : {}
  const guest = page.payer === 'guest'
  return (
    <PayPage
      brand={page.brand}
      title={page.keeps ? 'What should autopay charge?' : title}
      back={page.back}
      summary={method === 'ACH' ? page.bankSummary : page.summary}
      problems={problems}
      charged={page.charged}
      left={page.left}
      action={<MethodAction total={page.summary.total} paysByCard={page.methods.length === 1 && !page.keeps} />}
    >
      {guest && feeWarning && (
        <Callout className="mt-6 max-w-text" tone="warn" title={cardProcessingFee}>
          <p>
            Paying by card without autopay adds {feeWarning} to this payment. With autopay, or from a bank account where
            that is offered, there is no such fee.
          </p>
        </Callout>
      )}
      <MethodForm
        checkoutId={page.checkoutId}
        methods={page.methods}
        onMethod={setMethod}
        consent={page.consent}
        error={problems.method}
      >
        {!guest && feeWarning && (
          <p className="mt-6 max-w-text soft">
            {cardProcessingFee}: {feeWarning} for a card payment without autopay.
          </p>
        )}
      </MethodForm>
      {page.retriesUsedUp && page.charged && (
        <TooManyAttemptsDialog dues={{ phone: page.phone, charged: page.charged }} />
      )}
    </PayPage>
  )
}

function LinkMethod({
  settles,
  process,
  failure,
  retriesUsedUp,
  phone,
  ...page
}: Awaited<ReturnType<typeof linkMethod>>) {
  const total = formatCents(page.summary.total)
  return (
    <PayPage
      {...page}
      title={settles ? 'Settle what is past due' : title}
      lead={settles && 'One payment settles everything that is owed.'}
      problems={failure ? { form: failure } : {}}
      action={<LinkButton href={process}>{`Pay ${total} by card`}</LinkButton>}
    >
      {settles && (
        <div className="mt-6">
          <DataList
            facts={[
              { label: 'Unit', value: settles.unitNumber },
              { label: 'Tenant', value: settles.tenantName },
              { label: 'Facility', value: settles.facility },
              { label: 'Settlement amount due', value: <span className="num">{total}</span> },
            ]}
          />
        </div>
      )}
      <h2 className="mt-10">Credit Card</h2>
      <p className="mt-2 max-w-text">
        {cardOption.detail} {total} is charged once.
      </p>
      <ButtonRow>
        <LinkButton kind="secondary" href={callHref(phone)}>
          {`Call ${phone}`}
        </LinkButton>
      </ButtonRow>
      {retriesUsedUp && page.charged && <TooManyAttemptsDialog dues={{ phone, charged: page.charged }} />}
    </PayPage>
  )
}
