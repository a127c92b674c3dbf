import { readForm } from '../request/read-form-fields.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form, redirect } from 'react-router'
import { comingSoon } from '../../domain/texts/account.ts'
import { emailRequired } from '../../domain/texts/field-errors.ts'
import { noEmailOnAccount } from '../../domain/texts/payment.ts'
import { signInGuestPayer } from '../../modules/accounts/operations/sign-in-guest-payer.ts'
import { contextOf } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { SubmitRow } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField } from '../ui/fields/text.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import type { Route } from './+types/find-guest-account-by-email'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Pay without logging in'

export const loader = ({ context }: Route.LoaderArgs) => ({ brand: contextOf(context).brand.name })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const form = await readForm(request)
  const email = form.email ?? ''
  const refusal = (fields: FieldErrors, status: number) => data({ fields, email }, { status })
  const checked = fieldRules.validate(fieldRules.findEmail, form)
  if (!checked.ok) return refusal(checked.fields, 400)
  const outcome = await site.call(signInGuestPayer, checked.value)
  if (!outcome.ok) return refusal(errorsOf(outcome), outcome.status)
  const { result, message } = outcome.value
  if (result !== 'success') return refusal({ email: message }, message === comingSoon ? 409 : 404)
  site.session.set({ guestToken: outcome.value.token, checkout: undefined, orderId: undefined, lease: undefined })
  return redirect(`/guest/find-units?email=${encodeURIComponent(checked.value.email)}`)
}

export default function FindEmail({ loaderData, actionData }: Route.ComponentProps) {
  const checks = useFormValidation('findEmail', actionData?.fields)
  const submittedEmail = actionData && 'email' in actionData ? actionData.email : undefined
  return (
    <PageFrame narrow title={title} brand={loaderData.brand} wrong={checks.wrong}>
      <BackLink to="/login" />
      <h1>{title}</h1>
      <ErrorSummary {...checks.summary} />
      <p className="lead mt-2">Enter the e-mail address on the account. You see its units and what is due on them.</p>
      <Form method="post" {...checks.form}>
        <EmailField {...checks.field('email')} label="Email" autoComplete="email" defaultValue={submittedEmail} />
        <SubmitRow
          busyLabel="Looking"
          unavailable={checks.missing?.email === emailRequired ? 'Enter an e-mail address to go on.' : null}
        >
          Search
        </SubmitRow>
      </Form>
      <p className="mt-8">
        <a href="/register">{noEmailOnAccount}</a>
      </p>
    </PageFrame>
  )
}
