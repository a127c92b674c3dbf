import { data, redirect } from 'react-router'
import { achFailed, enterBankAccountDetails, failedToInitializePayment } from '../../domain/texts/payment.ts'
import { payCheckoutFromBankAccount } from '../../modules/payments/operations/pay-existing-lease-from-bank-account.ts'
import { loadBankPaymentPage } from '../../modules/payments/views/bank-payment-page.ts'
import { redirectWithAlert } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { readForm } from '../request/read-form-fields.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/bank-payment'
import { checkoutSummary, openCheckoutFlow, redirectBlockedPayment, redirectIfPaid } from './checkout-flow.ts'
import { BankAction, BankForm, type BankFormResult, bankFormErrors, useBankForm } from './parts/bank-form.tsx'
import { PayPage } from './parts/pay-page.tsx'
import { checkoutPayerOf, type PayArguments } from './payer-page-addresses.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

/**
 * Opens the session's checkout for payment by bank.
 * @throws a redirect of `openCheckoutFlow`, or one to the payment methods when the checkout does not allow ACH
 */
async function openBankFlow(args: PayArguments) {
  const flow = await openCheckoutFlow(args, checkoutPayerOf(args))
  if (!flow.checkout.allowAch) throw redirect(flow.pages.method)
  return flow
}

export async function loader(args: Route.LoaderArgs) {
  const flow = await openBankFlow(args)
  await redirectIfPaid(flow)
  const { site, checkout, facts } = flow
  const { services, brand } = site
  const amount = checkout.price.ACH.total
  const { holder, phone, authorization } = await loadBankPaymentPage(services, checkout, facts, brand)
  return {
    brand: brand.name,
    phone,
    back: flow.pages.method,
    summary: checkoutSummary(flow, 'ACH'),
    autopay: checkout.autopay,
    /** Card fee and its tax, which a bank payment avoids, in cents. */
    spared: Math.max(checkout.price.CC.total - amount, 0),
    entry: {
      amount,
      authorization,
      phone,
      holder,
      agreed: { name: 'checkout', value: checkout.checkoutId },
    },
  }
}

export async function action(args: Route.ActionArgs) {
  const flow = await openBankFlow(args)
  const { site, checkout, pages } = flow
  const values = await readForm(args.request)
  if (values.checkout !== checkout.checkoutId) return redirectWithAlert(site, 'changedElsewhere', pages.method)
  const refusal = (status: number, result: BankFormResult) => data<BankFormResult>({ ...result, values }, { status })
  const checked = fieldRules.validate(fieldRules.bankForm, values)
  if (!checked.ok) return refusal(400, { fields: bankFormErrors(fieldRules, values) })
  const { address, agent } = await site.callers()
  const outcome = await payCheckoutFromBankAccount(site.services, checkout, checked.value, { address, agent })
  if (outcome.ok) {
    site.session.set({ orderId: outcome.orderId })
    throw redirect(`${pages.returns}?order=${outcome.orderId}`)
  }
  switch (outcome.why) {
    case 'overtaken':
      return redirectWithAlert(site, 'paymentUnderWay', pages.method)
    case 'retries_used_up':
      // The methods page shows the retry notice, and the payer can choose another method.
      throw redirect(pages.method)
    case 'refused':
      return refusal(409, { fields: { form: achFailed }, charged: outcome.charged })
    case 'paid':
      throw redirect(`${pages.returns}?order=${outcome.orderId}`)
    case 'checking':
      await redirectIfPaid(flow)
      return redirectWithAlert(site, 'paymentUnderWay', pages.method)
    case 'price_changed':
      site.session.set({ checkout: outcome.now.checkoutId })
      return refusal(409, { fields: {}, changed: { changes: outcome.changes, total: outcome.now.price.ACH.total } })
    case 'blocked':
      return redirectBlockedPayment(flow, outcome.message)
    default:
      // The provider did not answer about an earlier payment, so whether money was taken is unknown.
      return refusal(409, { fields: { form: failedToInitializePayment } })
  }
}

export const shouldRevalidate = revalidateOnConflict

export default function Bank({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, back, summary, autopay, spared, entry } = loaderData
  const result: BankFormResult | undefined = actionData
  const checks = useBankForm(result)
  return (
    <PayPage
      brand={brand}
      title={enterBankAccountDetails}
      lead={
        entry.amount === 0
          ? 'Nothing is taken from your bank account today.'
          : `${formatCents(entry.amount)} is taken from your bank account${autopay ? ' now' : ', once'}.`
      }
      back={back}
      otherWay={back}
      summary={summary}
      wrong={checks.wrong}
      action={<BankAction amount={entry.amount} />}
    >
      <BankForm {...entry} checks={checks} answer={result}>
        <p className="mt-6 soft">
          {spared > 0 && `From a bank account there is no card fee: ${formatCents(spared)} less. `}
          {autopay
            ? 'This account is then kept, encrypted, for autopay, and pays what comes due until you turn autopay off.'
            : 'Autopay stays as it is; this account is used for this payment only.'}
        </p>
      </BankForm>
    </PayPage>
  )
}
