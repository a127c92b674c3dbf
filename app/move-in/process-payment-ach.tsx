import { data, redirect } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { achFailed, enterBankAccountDetails, failedToInitializePayment } from '../../domain/texts/payment.ts'
import { phoneFor } from '../../modules/facilities/choose-support-phone.ts'
import { debitAuthorisation, payMoveInByBank } from '../../modules/payments/bank/bank-debit.ts'
import { moveInConsent } from '../../modules/payments/texts/move-in-debit-consent.ts'
import { findCapturedOrder } from '../../modules/payments/views/move-in-orders.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, stepAddress } from '../open-journey-step.ts'
import { BankAction, BankForm, type BankFormResult, bankFormErrors, useBankForm } from '../pay/parts/bank-form.tsx'
import { redirectWithAlert } from '../request/context.ts'
import { revalidateOnConflict } from '../request/form-client-action.ts'
import { readForm } from '../request/form-fields.ts'
import * as fieldRules from '../request/form-rules.ts'
import { formatCents } from '../ui/money.tsx'
import { OtherPaymentMethodContext } from '../ui/page-context.ts'
import type { Route } from './+types/process-payment-ach'
import { handlePaymentRefusal } from './open-card-page.ts'

export { submit as clientAction } from '../request/form-client-action.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/process-payment-ach')
  const { site, draft, chrome, facts } = page
  const capturedOrderId = await findCapturedOrder(site.services, draft)
  if (capturedOrderId) throw redirect(`/confirm-rental-payment?order=${capturedOrderId}`)
  const quote = await storeQuote(site.services, draft)
  if (!quote) return redirectWithAlert(site, 'invalidSession', '/')
  const { charges, total } = quote
  const { contact } = facts.answers
  const { autopay } = page.quote
  return {
    chrome: { ...chrome, summary: { ...chrome.summary, assumptions: [] } },
    autopay,
    entry: {
      amount: total,
      authorization: await debitAuthorisation(site.services, facts.facility, {
        amount: total,
        consent: autopay ? moveInConsent(charges.thenPerPeriod, charges.nextBilling) : null,
      }),
      phone: formatPhone(await phoneFor(site.services, facts.facility.location)),
      holder: contact && draft.proof === 'own' ? `${contact.first} ${contact.last}`.trim() : '',
      agreed: { name: 'quote', value: quote.quoteId },
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
  const { tenant, address, agent } = await site.callers()
  const { routing_number: routing, account_number: account, account_name: name, account_type: type } = checked.value
  const result = await payMoveInByBank(site.services, draft, {
    quoteId: values.quote ?? '',
    tenant,
    account: { name, routing, account, type },
    by: { address, agent },
  })
  if (!result.ok) {
    const refusal = handlePaymentRefusal(page, result)
    // The bank does not answer about an earlier payment, so nothing is known about the money.
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
