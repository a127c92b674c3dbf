import { readForm } from '../request/form-fields.ts'
import '../styles/journey.css'
import { type FormEvent, useState } from 'react'
import { data, Form, redirect, useSubmit } from 'react-router'
import { validate } from '../../domain/forms/form-rules.ts'
import { passkeyNeedsBrowser, passkeyNotAdded } from '../../domain/texts/account.ts'
import { loadLogin } from '../../modules/accounts/account.ts'
import { DeclinePasskeys } from '../../modules/accounts/operations/decline-passkeys.ts'
import { KeepPasskey } from '../../modules/accounts/operations/keep-passkey.ts'
import { passkeyName } from '../../modules/accounts/rules/account-form.ts'
import { openPortalPage } from '../portal/open-portal-page.ts'
import { PortalPage } from '../portal/portal-page.tsx'
import { redirectWithAlert } from '../request/context.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PasswordField, TextField } from '../ui/fields/text.tsx'
import type { FieldErrors } from '../ui/form-checks.ts'
import { usePasskeys } from '../ui/passkey-support.ts'
import { Callout } from '../ui/surfaces.tsx'
import { useBusy } from '../ui/use-submitting.ts'
import type { Route } from './+types/add-passkey'
import { deviceOf } from './device-name.ts'
import { assignPasskeyBrowserId } from './passkey-relying-party.ts'

export { submit as clientAction } from '../request/form-client-action.ts'

const profile = '/account-profile'
const title = 'Add a passkey'

export async function loader(args: Route.LoaderArgs) {
  const { site, account, chrome } = await openPortalPage(args)
  assignPasskeyBrowserId(site)
  const [login, { agent }] = await Promise.all([loadLogin(site.services, account.accountId), site.callers()])
  return { chrome, username: login?.username ?? '', name: deviceOf(agent) }
}

const refused = (form: string, status: number) => data<{ fields: FieldErrors }>({ fields: { form } }, { status })

export async function action(args: Route.ActionArgs) {
  const { site } = await openPortalPage(args)
  const form = await readForm(args.request)
  if (form.intent === 'decline') {
    await site.call(DeclinePasskeys, {})
    return redirect('/my-units')
  }
  const named = validate(passkeyName, form)
  if (!named.ok) return data({ fields: named.fields }, { status: 400 })
  if (!form.answer) return refused(passkeyNeedsBrowser, 400)
  const { passkeys: browser = '' } = site.session.ids
  const made = await site.call(KeepPasskey, { browser, answer: form.answer, name: named.value.name })
  if (!made.ok) return refused(made.message, made.status)
  return redirectWithAlert(site, 'passkeyAdded', profile)
}

export default function AddPasskey({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, username, name } = loaderData
  const has = usePasskeys()
  const submit = useSubmit()
  const sending = useBusy()
  const [asking, setAsking] = useState(false)
  const [local, setLocal] = useState<{ fields: FieldErrors; after: unknown } | null>(null)
  const [turn, setTurn] = useState(0)
  // The browser's latest errors, until the server has responded again.
  const fields: FieldErrors = local && local.after === actionData ? local.fields : (actionData?.fields ?? {})
  const wrong = Object.keys(fields).length > 0

  const make = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (asking || sending) return
    const form = new FormData(event.currentTarget)
    const say = (fields: FieldErrors) => {
      setLocal({ fields, after: actionData })
      setTurn((n) => n + 1)
    }
    setAsking(true)
    try {
      const { createAccountPasskey, PasskeyRefused, passkeyErrorMessage } = await import('./passkeys-in-browser.ts')
      try {
        const answer = await createAccountPasskey(String(form.get('current_password') ?? ''))
        setLocal(null)
        await submit({ intent: 'add', name: String(form.get('name') ?? ''), answer }, { method: 'post' })
      } catch (error) {
        const known = error instanceof PasskeyRefused && Object.keys(error.fields).length > 0 ? error.fields : null
        say(known ?? { form: passkeyErrorMessage(error, passkeyNotAdded) ?? passkeyNotAdded })
      }
    } catch {
      say({ form: 'We could not reach our server. Check your connection and try again.' })
    }
    setAsking(false)
  }

  return (
    <PortalPage
      chrome={chrome}
      title={title}
      lead="Sign in with your fingerprint, face or screen lock instead of your password. Your password goes on working."
      back={profile}
      backLabel="My Profile"
      wrong={wrong}
    >
      {has === false && (
        <Callout className="mt-6" tone="warn">
          <p>{passkeyNeedsBrowser}</p>
        </Callout>
      )}
      <Form method="post" className="mt-6 max-w-text" onSubmit={has ? make : undefined} noValidate>
        <ErrorSummary errors={fields} turn={turn} />
        <input type="hidden" name="intent" value="add" />
        {/* Tells password managers which account the passkey is for. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <TextField
          name="name"
          label="Name"
          hint="So that you know it again among others."
          defaultValue={name}
          maxLength={40}
          error={fields.name}
        />
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          error={fields.current_password}
        />
        <ButtonRow>
          <Button busy={asking || sending} busyLabel="One moment…" disabled={has === false}>
            Create passkey
          </Button>
          <LinkButton kind="secondary" to={profile}>
            Cancel
          </LinkButton>
        </ButtonRow>
      </Form>
    </PortalPage>
  )
}
