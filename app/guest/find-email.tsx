import '../styles/journey.css'
import { useState } from 'react'
import { data, Form, redirect, useNavigation } from 'react-router'
import * as fieldRules from '../../domain/fields.ts'
import { labels } from '../../domain/labels.ts'
import { findByEmail } from '../../storage-system/account-look-ups.ts'
import { readForm } from '../reserve/reserving.ts'
import { send } from '../reserve/sending.ts'
import { siteOf } from '../site.ts'
import { Button, ButtonRow, useHydrated } from '../ui/buttons.tsx'
import { EmailField, ErrorSummary } from '../ui/fields.tsx'
import type { FieldErrors } from '../ui/form-checks.ts'
import { BackLink } from '../ui/journey.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import type { Route } from './+types/find-email'

const title = 'Pay without logging in'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

export const loader = ({ context }: Route.LoaderArgs) => ({ brand: siteOf(context).brand.name })

export async function action({ request, context }: Route.ActionArgs) {
  const site = siteOf(context)
  const form = await readForm(request)
  const email = form.email ?? ''
  const back = (fields: FieldErrors, status: number) => data({ fields, email }, { status })
  const checked = fieldRules.validate(fieldRules.findEmail, form)
  if (!checked.ok) return back(checked.fields, 400)
  const found = await site.call(findByEmail, checked.value)
  if (!found.ok) return back(found.fields ?? { form: found.message }, found.status)
  if (found.value.result !== 'success') return back({ email: found.value.message }, 404)
  site.session.set({ guestToken: found.value.token, checkout: undefined, orderId: undefined, lease: undefined })
  return redirect(`/guest/find-units?email=${encodeURIComponent(checked.value.email)}`)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

/** /guest/find-email (spec 2 §2): the units of an e-mail address can be paid for, and nothing else is shown of them. */
export default function FindEmail({ loaderData, actionData }: Route.ComponentProps) {
  const [empty, setEmpty] = useState(true)
  const hydrated = useHydrated()
  const busy = useNavigation().formMethod === 'POST'
  const fields = actionData?.fields ?? {}
  const typed = actionData && 'email' in actionData ? actionData.email : undefined
  return (
    <PageFrame narrow>
      <title>{pageTitle(title, loaderData.brand, Object.keys(fields).length > 0)}</title>
      <BackLink to="/login" />
      <ErrorSummary errors={fields} general={['', 'form']} />
      <h1>{title}</h1>
      <p className="lead mt-2">Enter the e-mail address on the account. You see its units and what is due on them.</p>
      <Form method="post">
        <EmailField
          name="email"
          label="Email"
          autoComplete="email"
          defaultValue={typed}
          error={fields.email}
          onInput={(event) => setEmpty((event.target as HTMLInputElement).value.trim() === '')}
        />
        <ButtonRow>
          <Button busy={busy} busyLabel="Looking" disabled={hydrated && empty && !typed}>
            Search
          </Button>
        </ButtonRow>
        {hydrated && empty && !typed && <p className="small soft mt-2">Enter an e-mail address to go on.</p>}
      </Form>
      <p className="mt-8">
        <a href="/register">{labels.noEmailOnAccount}</a>
      </p>
    </PageFrame>
  )
}
