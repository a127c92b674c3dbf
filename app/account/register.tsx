import '../styles/journey.css'
import { data, Form, redirect, useNavigation } from 'react-router'
import * as fieldRules from '../../domain/fields.ts'
import { messages } from '../../domain/messages.ts'
import { lettingFacilities } from '../../site-records/find-storage.ts'
import { tenantLookup } from '../../storage-system/account-look-ups.ts'
import { type FieldRules, useFieldRules } from '../field-rules.ts'
import { readForm } from '../reserve/reserving.ts'
import { send } from '../reserve/sending.ts'
import { siteOf } from '../site.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { CodeField, ErrorSummary, SelectField, TextField } from '../ui/fields.tsx'
import { type FieldErrors, useFormChecks } from '../ui/form-checks.ts'
import { BackLink } from '../ui/journey.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/register'

const title = 'Register'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = siteOf(context)
  const facilities = await lettingFacilities(site.house)
  const asked = new URL(request.url).searchParams.get('locationCode') ?? ''
  return {
    brand: site.brand.name,
    facilities,
    chosen: facilities.some((one) => one.value === asked) ? asked : '',
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = siteOf(context)
  const values = await readForm(request)
  const back = (fields: FieldErrors, status: number) => data({ fields, values, hasAccount: false }, { status })
  const checked = fieldRules.validate(fieldRules.register, values)
  if (!checked.ok) return back(checked.fields, 400)
  const found = await site.call(tenantLookup, checked.value)
  if (!found.ok) return back(found.fields ?? { form: found.message }, found.status)
  if (!found.value.user) return back({ form: found.value.message }, 404)
  if (found.value.user.grantOnlineAccess === 'True') return data({ fields: {}, values, hasAccount: true })
  return redirect('/complete-register')
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

function wrongIn(rules: FieldRules, form: Record<string, string>): FieldErrors {
  const checked = rules.validate(rules.register, form)
  return checked.ok ? {} : checked.fields
}

/** /register (spec 2 §2): who rents which unit; then the online account can be made. */
export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facilities, chosen } = loaderData
  const rules = useFieldRules()
  const checks = useFormChecks(rules && ((form) => wrongIn(rules, form)), actionData?.fields)
  const busy = useNavigation().formMethod === 'POST'
  const returned = actionData && 'values' in actionData ? actionData : undefined
  const typed = (name: string) => returned?.values[name]
  return (
    <PageFrame narrow>
      <title>{pageTitle(title, brand, Object.keys(checks.summary.errors).length > 0)}</title>
      <BackLink to="/login" />
      <ErrorSummary {...checks.summary} general={['', 'form']} />
      <h1>{title}</h1>
      <p className="lead mt-2">Tell us which unit you rent, and make your online account.</p>
      {returned?.hasAccount && (
        <div className="mt-6">
          <Callout tone="info" live title="You have an online account already">
            <p>Log in with it, or choose a new password if you have forgotten yours.</p>
            <p className="mt-3 flex flex-wrap gap-3">
              <LinkButton to="/login">Log in</LinkButton>
              <LinkButton to="/forgot" kind="secondary">
                {messages.forgotPassword}
              </LinkButton>
            </p>
          </Callout>
        </div>
      )}
      <Form method="post" {...checks.form}>
        <SelectField
          {...checks.field('location_code')}
          label="Facility"
          options={facilities}
          empty="Choose a facility"
          defaultValue={typed('location_code') ?? chosen}
        />
        <TextField
          {...checks.field('last_name')}
          label="Last name"
          autoComplete="family-name"
          defaultValue={typed('last_name')}
        />
        <CodeField
          {...checks.field('last_4_digits_of_phone_number')}
          label="Last 4 digits of your phone number"
          autoComplete="off"
          defaultValue={typed('last_4_digits_of_phone_number')}
        />
        <TextField
          {...checks.field('unit_number')}
          label="Unit number"
          hint="It must match exactly as on your lease. Some units have a '0' prefix, such as 0214."
          autoComplete="off"
          width={10}
          defaultValue={typed('unit_number')}
        />
        <ButtonRow>
          <Button busy={busy} busyLabel="Looking">
            Find my account
          </Button>
        </ButtonRow>
      </Form>
      <p className="mt-8">
        Not a tenant yet? <a href="/storage-units">Find storage</a>
      </p>
    </PageFrame>
  )
}
