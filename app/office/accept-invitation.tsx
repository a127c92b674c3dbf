import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import '../styles/office.css'
import { data, Form, redirect } from 'react-router'
import { PASSWORD_MIN } from '../../domain/field-lengths.ts'
import { invitationOver } from '../../domain/texts/office-refusals.ts'
import { acceptInvitation } from '../../modules/staff/operations/accept-invitation.ts'
import { findInvited } from '../../modules/staff/views/invited-staff-member.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PasswordField, TextField } from '../ui/fields/text.tsx'
import { pageTitle } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/accept-invitation'
import { SignInFrame } from './sign-in-frame.tsx'

export const handle = { office: true }
export const meta = secretAddressMeta

export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const person = await findInvited(site.services, params.token)
  return data(
    { brand: site.brand.name, person: person && { name: person.name, email: person.email } },
    { status: person ? 200 : 404 },
  )
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const form = await readForm(request)
  const submitted = {
    token: params.token,
    name: form.name ?? '',
    password: form.password ?? '',
    device: site.office.device,
  }
  const outcome = await acceptInvitation(site.services, submitted, await site.callers())
  if (!outcome.ok) {
    const fields: FieldErrors = errorsOf(outcome)
    return data({ fields }, { status: outcome.status })
  }
  site.office.set(outcome.token)
  return redirect('/office/add-factor')
}

/** Page of the invitation link, where a staff member enters a name and a password. The second factor follows. */
export default function Join({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, person } = loaderData
  const busy = useSubmitting()
  const fields: FieldErrors = actionData?.fields ?? {}
  return (
    <SignInFrame brand={brand}>
      <title>{pageTitle('Join the office', brand, Object.keys(fields).length > 0)}</title>
      <h1>Join the office</h1>
      {person === null ? (
        <Callout tone="warn">
          <p>{invitationOver}</p>
        </Callout>
      ) : (
        <Form method="post" className="mt-6">
          <ErrorSummary errors={fields} />
          <input type="text" name="email" autoComplete="username" value={person.email} readOnly hidden />
          <p className="soft">
            For <span className="wrap-anywhere">{person.email}</span>
          </p>
          <TextField
            name="name"
            label="Your name"
            defaultValue={person.name}
            autoComplete="name"
            maxLength={60}
            error={fields.name}
          />
          <PasswordField
            name="password"
            label="Password"
            hint={`At least ${PASSWORD_MIN} characters.`}
            autoComplete="new-password"
            error={fields.password}
          />
          <ButtonRow>
            <Button busy={busy}>Next</Button>
          </ButtonRow>
        </Form>
      )}
    </SignInFrame>
  )
}
