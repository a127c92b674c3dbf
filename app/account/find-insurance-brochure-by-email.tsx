import { readForm } from '../request/read-form-fields.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form } from 'react-router'
import { EMAIL_MAX } from '../../domain/field-lengths.ts'
import { locateAccountByEmail, tenantNotFoundByEmail } from '../../domain/texts/account.ts'
import { emailRequired } from '../../domain/texts/field-errors.ts'
import { loadBrochurePaths } from '../../modules/insurance/views/find-brochures-by-tenant-email.ts'
import { brochureNotAvailable } from '../../modules/move-in/texts/move-in.ts'
import { GetTenantDetailsByEmail } from '../../modules/tenants/operations/check-tenant-exists-by-email.ts'
import { contextOf } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { useFormValidation, validateFields } from '../request/use-form-rules.ts'
import { LinkButton, SubmitRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField } from '../ui/fields/text.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/find-insurance-brochure-by-email'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const loader = ({ context }: Route.LoaderArgs) => ({ brand: contextOf(context).brand.name })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const values = await readForm(request)
  const formResponse = (fields: FieldErrors, status: number, brochures: string[] = []) =>
    data({ fields, values: { email: values.email ?? '' }, brochures }, { status })
  const fields = validateFields(fieldRules, 'findEmail', values)
  if (Object.keys(fields).length > 0) return formResponse(fields, 400)
  // The operation is limited per IP address and per e-mail address, because its specified responses reveal whether a
  // tenant has that e-mail address.
  const outcome = await site.call(GetTenantDetailsByEmail, { email: values.email })
  if (!outcome.ok) return formResponse(errorsOf(outcome), outcome.status)
  if (outcome.value.TenantExists !== 'True') return formResponse({ email: tenantNotFoundByEmail }, 404)
  const brochures = await loadBrochurePaths(site.services, values.email ?? '')
  if (brochures.length === 0) return formResponse({ form: brochureNotAvailable }, 404)
  return formResponse({}, 200, brochures)
}

export default function DownloadInsuranceBrochure({ loaderData, actionData }: Route.ComponentProps) {
  const returned = actionData && 'brochures' in actionData ? actionData : undefined
  const checks = useFormValidation('findEmail', actionData?.fields)
  const busy = useSubmitting()
  const title = locateAccountByEmail
  const brochures = checks.wrong ? [] : (returned?.brochures ?? [])
  const isEmpty = checks.missing?.email === emailRequired
  return (
    <PageFrame narrow title={title} brand={loaderData.brand} wrong={checks.wrong}>
      <h1>{title}</h1>
      <ErrorSummary {...checks.summary} />
      <p className="lead mt-2">Then download the tenant-protection brochure of your facility.</p>
      <Form method="post" className="mt-6" {...checks.form}>
        <EmailField
          {...checks.field('email')}
          label="Email"
          hint="The one we have on file for your unit."
          maxLength={EMAIL_MAX}
          defaultValue={returned?.values.email}
        />
        <SubmitRow
          kind={brochures.length > 0 ? 'secondary' : 'primary'}
          disabled={busy}
          busyLabel="Searching"
          unavailable={isEmpty ? 'Enter your email.' : null}
        >
          Search
        </SubmitRow>
      </Form>
      {brochures.length > 0 && (
        <Callout className="mt-8" tone="success" title="Here is your brochure" live>
          <p>What is covered, what it costs, and how to make a claim, as a PDF.</p>
          {brochures.map((href, index) => (
            <div className="btn-row" key={href}>
              <LinkButton href={`${href}?download=1`}>
                {brochures.length > 1 ? `Download brochure ${index + 1}` : 'Download the brochure'}
              </LinkButton>
              <LinkButton kind="secondary" href={href} target="_blank" rel="noopener">
                {brochures.length > 1 ? `Open brochure ${index + 1} (new tab)` : 'Open it in a new tab'}
              </LinkButton>
            </div>
          ))}
        </Callout>
      )}
    </PageFrame>
  )
}
