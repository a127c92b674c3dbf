import { readForm } from '../request/read-form-fields.ts'
import '../styles/move-in.css'
import '../styles/card-frame-and-completed-pages.css'
import { useRef, useState } from 'react'
import { data, Form, redirect, useNavigation } from 'react-router'
import { validate } from '../../domain/forms/form-rules.ts'
import { chooseOne } from '../../domain/texts/field-errors.ts'
import { offerPaymentMethods } from '../../modules/move-in/operations/offer-price-by-payment-method.ts'
import { paymentMethod } from '../../modules/payments/rules/payment-method-and-bank-form.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, withReviewParam } from '../open-journey-step.ts'
import { bankOption, cardOption, methodCards, TooManyAttemptsDialog, withPrice } from '../pay/parts/method-form.tsx'
import { LeftCardPage } from '../pay/parts/pay-page.tsx'
import { loadLeftCardPageStatement } from '../pay/settle-card-return.ts'
import { redirectWithAlert } from '../request/context.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { saveDraftAnswers } from '../reserve/save-and-reserve.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { RadioCards } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PriceChanged } from '../ui/price-changed.tsx'
import { PriceSummary } from '../ui/price-summary.tsx'
import { ChargeStatementContext } from '../ui/refusal-advice-react-contexts.ts'
import { useBrowserFilledValues } from '../ui/use-browser-filled-values.ts'
import type { Route } from './+types/payment-method'
import { openCardPage } from './open-card-page-or-redirect.ts'
import { reviewGroups } from './review-rows.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Check and pay'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/payment-method')
  const { site, draft, chrome } = page
  const offer = await offerPaymentMethods(site.services, page, (await site.callers()).tenant)
  if (!offer) return redirectWithAlert(site, 'invalidSession', '/')
  if ('capturedOrderId' in offer) throw redirect(`/confirm-rental-payment?order=${offer.capturedOrderId}`)
  const { lease, prices, quoteId, total, failure, retriesUsedUp } = offer
  return {
    method: prices.ACH && draft.answers.paymentMethod === 'ACH' ? ('ACH' as const) : ('CC' as const),
    bankTotal: prices.ACH?.totalCents ?? null,
    /** Prices by method: the summary follows the choice, as a bank payment has no card fee. */
    prices,
    // The lease is signed, so the price rests on no assumption any more.
    chrome: { ...chrome, summary: { ...chrome.summary, assumptions: [] } },
    groups: reviewGroups(page, lease).map((group) => ({
      ...group,
      answers: group.answers.map((answer) =>
        answer.change ? { ...answer, change: withReviewParam(answer.change) } : answer,
      ),
    })),
    quoteId,
    total,
    autopay: page.quote.autopay,
    failure: failure?.sentence ?? null,
    charged: failure?.charged ?? null,
    left: await loadLeftCardPageStatement(site, args.request),
    retriesUsedUp,
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/payment-method')
  const values = await readForm(args.request)
  const checked = validate(paymentMethod, values)
  if (!checked.ok) return data({ fields: checked.fields }, { status: 400 })
  const { method } = checked.value
  const isByBank = method === 'ACH'
  if (isByBank && !page.facts.place.allowAch) {
    return data({ fields: { method: chooseOne('a payment method') } }, { status: 400 })
  }
  const draft = await saveDraftAnswers(page.site, page.draft, { paymentMethod: method, autopay: page.quote.autopay })
  if (isByBank) return redirect('/process-payment-ach')
  const result = await openCardPage(page, draft, values.quote ?? '')
  if (!result.ok && result.why === 'price_changed')
    return data({ fields: {}, changes: result.changes }, { status: 409 })
  return redirect('/process-payment')
}

export const shouldRevalidate = revalidateOnConflict

const cardButton = (total: number): string =>
  total === 0 ? 'Store my card, pay $0.00' : `Pay ${formatCents(total)} by card`

export default function PaymentMethod({ loaderData, actionData }: Route.ComponentProps) {
  const { groups, quoteId, total, bankTotal, autopay, failure, prices } = loaderData
  const [method, setMethod] = useState<string>(loaderData.method)
  const { summary } = loaderData.chrome
  const chrome = { ...loaderData.chrome, summary: { ...summary, ...prices[method === 'ACH' ? 'ACH' : 'CC'] } }
  const form = useRef<HTMLFormElement>(null)
  useBrowserFilledValues(form, (values) => values.method && setMethod(values.method))
  const hydrated = useHydrated()
  const busy = useNavigation().formMethod === 'POST'
  const changes = actionData && 'changes' in actionData ? actionData.changes : undefined
  const fields = actionData ? actionData.fields : {}
  const problems: Record<string, string> =
    Object.keys(fields).length > 0 ? fields : failure && !changes ? { form: failure } : {}
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="Your lease and the price are based on this. Change what is not right, then pay."
      wrong={Object.keys(problems).length > 0}
      action={
        <Button form={STEP_FORM} busy={busy} busyLabel="One moment…">
          {bankTotal !== null && (!hydrated || method === 'ACH') ? 'Continue' : cardButton(total)}
        </Button>
      }
    >
      <div className="mt-6">
        <ChargeStatementContext value={loaderData.charged}>
          <ErrorSummary errors={problems} />
        </ChargeStatementContext>
        {!failure && !changes && <LeftCardPage left={loaderData.left} />}
        {changes && <PriceChanged changes={changes} total={total} />}
      </div>
      <div className="card mt-6 bg-wash lg:hidden">
        <PriceSummary
          lines={chrome.summary.lines}
          totalCents={chrome.summary.totalCents}
          perMonth={{ cents: chrome.summary.thenCents, note: chrome.summary.thenNote }}
        />
      </div>
      <Form method="post" id={STEP_FORM} className="mt-8" ref={form}>
        <h2>How would you like to pay?</h2>
        <input type="hidden" name="quote" value={quoteId} />
        <RadioCards
          name="method"
          legend="Payment method"
          legendHidden
          defaultValue={loaderData.method}
          onChange={setMethod}
          error={problems.method}
          options={methodCards(
            bankTotal === null
              ? [withPrice(cardOption, total)]
              : [withPrice(cardOption, total), withPrice(bankOption, bankTotal, total)],
          )}
        />
        <p className="mt-6 max-w-text soft">{methodNote(method, { total, bankTotal, autopay })}</p>
      </Form>
      <Card as="section" flush className="mt-8">
        <h2 className="sr">Your answers</h2>
        {groups.map(({ title, brief, answers }) => (
          <details className="terms px-5 last:border-0" key={title}>
            <summary>
              <span className="py-2">
                {title}
                <span className="small soft block font-normal wrap-anywhere">{withNoBreakSpaces(brief)}</span>
              </span>
            </summary>
            <DataList facts={answers} />
          </details>
        ))}
      </Card>
      {loaderData.retriesUsedUp && <TooManyAttemptsDialog />}
    </JourneyPage>
  )
}

function methodNote(
  method: string,
  { total, bankTotal, autopay }: { total: number; bankTotal: number | null; autopay: boolean },
): string {
  const isBank = method === 'ACH'
  const chargeNote =
    (isBank ? bankTotal : total) === 0
      ? `Nothing is due today. Your ${isBank ? 'account is only checked' : 'card is only stored'}.`
      : isBank
        ? 'You enter the account on the next page, and nothing is taken before you agree to it there.'
        : `${formatCents(total)} is charged once, when you enter your card on the next page.`
  const autopayNote = autopay
    ? ` Your ${isBank ? 'account' : 'card'} is then kept for autopay, which you can turn off at any time.`
    : ''
  return chargeNote + autopayNote
}
