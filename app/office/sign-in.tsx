import '../styles/journey.css'
import '../styles/office.css'
import { data, Form, redirect } from 'react-router'
import { givePassword } from '../../modules/staff/sign-in.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/form-fields.ts'
import { useBusy } from '../ui/busy.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField, PasswordField } from '../ui/fields/text.tsx'
import type { FieldErrors } from '../ui/form-checks.ts'
import { pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/sign-in'
import { nextPage, withNext } from './next-page.ts'
import { SignInFrame } from './sign-in-frame.tsx'

export { submit as clientAction } from '../request/submit.ts'

export const handle = { office: true }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const next = nextPage(new URL(request.url).searchParams.get('next'))
  if ((await site.callers()).staff) throw redirect(next)
  return { brand: site.brand.name }
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const next = nextPage(new URL(request.url).searchParams.get('next'))
  const { email = '', password = '' } = await readForm(request)
  const back = (fields: FieldErrors, status: number) => data({ email, fields }, { status })
  if (email.trim() === '') return back({ email: 'Enter your e-mail address.' }, 400)
  if (password === '') return back({ password: 'Enter your password.' }, 400)
  const given = { email: email.trim().slice(0, 254), password: password.slice(0, 200), device: site.office.device }
  const signed = await givePassword(site.services, given, await site.callers())
  if (!signed.ok) return back({ form: signed.message }, signed.status)
  site.office.set(signed.token)
  return redirect(withNext('/office/second-factor', next))
}

/** The first step of signing in to the office. */
export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useBusy()
  const fields: FieldErrors = actionData?.fields ?? {}
  const email = actionData && 'email' in actionData ? actionData.email : ''
  return (
    <SignInFrame brand={loaderData.brand}>
      <title>{pageTitle('Office sign-in', loaderData.brand, Object.keys(fields).length > 0)}</title>
      <h1>Office sign-in</h1>
      <p className="soft">
        For the people who run the facilities. Tenants <a href="/login">log in here</a>.
      </p>
      <Form method="post" className="mt-6">
        <ErrorSummary errors={fields} />
        <EmailField name="email" label="E-mail" autoComplete="username" defaultValue={email} error={fields.email} />
        <PasswordField name="password" label="Password" autoComplete="current-password" error={fields.password} />
        <ButtonRow>
          <Button busy={busy} busyLabel="One moment…">
            Next
          </Button>
        </ButtonRow>
      </Form>
    </SignInFrame>
  )
}
