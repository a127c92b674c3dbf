import { data, redirect } from 'react-router'
import { achFailed, enterBankAccountDetails, failedToInitializePayment } from '../../domain/texts/payment.ts'
import { payRentalFromBankAccount } from '../../modules/move-in/operations/pay-rental-from-bank-account.ts'
import { quoteBankPayment } from '../../modules/move-in/operations/quote-bank-payment.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, stepAddress } from '../open-journey-step.ts'
import { BankAction, BankForm, type BankFormResult, bankFormErrors, useBankForm } from '../pay/parts/bank-form.tsx'
import { redirectWithAlert } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { readForm } from '../request/read-form-fields.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { formatCents } from '../ui/money.tsx'
import { OtherPaymentMethodContext } from '../ui/refusal-advice-react-contexts.ts'
import type { Route } from './+types/process-payment-ach'
import { handlePaymentRefusal } from './open-card-page-or-redirect.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/process-payment-ach')
  const { site, draft, chrome, facts } = page
  const offer = await quoteBankPayment(site.services, page)
  if (!offer) return redirectWithAlert(site, 'invalidSession', '/')
  if ('capturedOrderId' in offer) throw redirect(`/confirm-rental-payment?order=${offer.capturedOrderId}`)
  const { contact } = facts.answers
  return {
    chrome: { ...chrome, summary: { ...chrome.summary, assumptions: [] } },
    autopay: page.quote.autopay,
    entry: {
      amount: offer.amount,
      authorization: offer.authorization,
      phone: offer.phone,
      holder: contact && draft.proof === 'own' ? `${contact.first} ${contact.last}`.trim() : '',
      agreed: { name: 'quote', value: offer.quoteId },
    },
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/process-payment-ach')
  const { site, draft } = page
  const values = await readForm(args.request)
  const fields = bankFormErrors(fieldRules, values)
  const checked = fieldRules.validate(fieldRules.bankForm, values)
  if (!checked.ok) return data<BankFormResult>({ fields, values }, { status: 400 })
  const agreed = { quoteId: values.quote ?? '', bank: checked.value }
  const result = await payRentalFromBankAccount(site.services, draft, agreed, await site.callers())
  if (!result.ok) {
    const refusal = handlePaymentRefusal(page, result)
    // A provider did not answer about an earlier payment, so the page does not say whether anything was charged.
    if (refusal.why === 'unavailable')
      return data<BankFormResult>({ fields: { form: failedToInitializePayment }, values }, { status: 409 })
    const changed = { changes: refusal.changes, total: refusal.now.total }
    return data<BankFormResult>({ fields: {}, values, changed }, { status: 409 })
  }
  const { paid: payment } = result
  if (payment.state === 'failed') {
    if (payment.overtaken)
      return redirectWithAlert(site, 'changedElsewhere', stepAddress('/process-payment-ach', draft))
    if (payment.retriesUsedUp) throw redirect(stepAddress('/payment-method', draft))
    return data<BankFormResult>({ fields: { form: achFailed }, charged: payment.charged, values }, { status: 409 })
  }
  if (payment.state === 'posted') {
    site.session.set({ orderId: undefined, ...(draft.proof === 'own' && { completedOrderId: payment.orderId }) })
    throw redirect('/rental-completed')
  }
  site.session.set({ orderId: payment.orderId })
  throw redirect(`/confirm-rental-payment?order=${payment.orderId}`)
}

export const shouldRevalidate = revalidateOnConflict

export default function ProcessPaymentAch({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, entry, autopay } = loaderData
  const answer: BankFormResult | undefined = actionData
  const checks = useBankForm(answer)
  return (
    <JourneyPage
      chrome={chrome}
      title={enterBankAccountDetails}
      lead={
        entry.amount === 0
          ? 'Nothing is taken today.'
          : `${formatCents(entry.amount)} is taken from your bank account, once, and the unit is yours.`
      }
      wrong={checks.wrong}
      action={<BankAction amount={entry.amount} />}
    >
      <OtherPaymentMethodContext value="/payment-method">
        <BankForm {...entry} checks={checks} answer={answer}>
          {autopay && (
            <p className="mt-6 soft">
              This account is then kept, encrypted, for autopay, which you can turn off at any time.
            </p>
          )}
        </BankForm>
      </OtherPaymentMethodContext>
    </JourneyPage>
  )
}
