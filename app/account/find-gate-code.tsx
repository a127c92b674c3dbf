import { readForm } from '../request/read-form-fields.ts'
import '../styles/form-pages.css'
import { data, Form } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { gateCodeNotFound, gateCodeSent } from '../../domain/texts/account.ts'
import { sendForgottenGateCode } from '../../modules/accounts/operations/send-forgotten-gate-code.ts'
import { gateCodeTextConsent } from '../../modules/messages/texts/sms-consent.ts'
import { contextOf } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { SubmitRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PrivacyNote } from '../ui/privacy-note.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import type { Route } from './+types/find-gate-code'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Find my gate code'

export const loader = ({ context }: Route.LoaderArgs) => ({ brand: contextOf(context).brand.name })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const form = await readForm(request)
  const contact = form.contact ?? ''
  const errorResponse = (fields: FieldErrors, status: number) => data({ fields, contact, sent: '' }, { status })
  const checked = fieldRules.validate(fieldRules.gateCodeContact, form)
  if (!checked.ok) return errorResponse(checked.fields, 400)
  const outcome = await site.call(sendForgottenGateCode, checked.value)
  if (!outcome.ok) return errorResponse({ form: outcome.message }, outcome.status)
  if (outcome.value.result !== 'sent')
    return errorResponse({ form: gateCodeNotFound(formatPhone(site.brand.phone)) }, 404)
  return data<{ fields: FieldErrors; contact: string; sent: string }>({ fields: {}, contact: '', sent: gateCodeSent })
}

const emptyContact = 'Email or phone required'

export default function FindGateCode({ loaderData, actionData }: Route.ComponentProps) {
  const checks = useFormValidation('gateCodeContact', actionData?.fields)
  const returned = actionData && 'sent' in actionData ? actionData : undefined
  return (
    <PageFrame narrow title={title} brand={loaderData.brand} wrong={checks.wrong}>
      <BackLink to="/login" />
      <h1>{title}</h1>
      <ErrorSummary {...checks.summary} />
      <p className="lead mt-2">We send it to the e-mail address or phone number that we have on file for you.</p>
      {returned?.sent && (
        <Callout className="mt-6" tone="success" live>
          <p>{returned.sent}</p>
        </Callout>
      )}
      <Form method="post" {...checks.form}>
        <TextField
          {...checks.field('contact')}
          label="E-mail or phone"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={returned?.contact}
        />
        <p className="hint mt-2 max-w-text">{gateCodeTextConsent}</p>
        <PrivacyNote asked="it" />
        <SubmitRow
          busyLabel="Looking"
          unavailable={checks.missing?.contact === emptyContact ? 'Enter your e-mail or phone number to go on.' : null}
        >
          Send my gate code
        </SubmitRow>
      </Form>
    </PageFrame>
  )
}
