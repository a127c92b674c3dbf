import { serverUnreachable } from '../../domain/texts/general-errors.ts'
import { readForm } from '../request/read-form-fields.ts'
import '../styles/form-pages.css'
import { type FormEvent, useState } from 'react'
import { data, Form, redirect, useSubmit } from 'react-router'
import { validate } from '../../domain/forms/form-rules.ts'
import { passkeyNeedsBrowser, passkeyNotAdded } from '../../domain/texts/account.ts'
import { DeclinePasskeys } from '../../modules/accounts/operations/decline-passkeys.ts'
import { KeepPasskey } from '../../modules/accounts/operations/keep-passkey.ts'
import { passkeyName } from '../../modules/accounts/rules/account-forms.ts'
import { loadLogin } from '../../modules/accounts/views/account-username-and-dates.ts'
import { openPortalPage } from '../portal/open-portal-page.ts'
import { PortalFrame } from '../portal/portal-frame.tsx'
import { redirectWithAlert } from '../request/context.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { usePasskeys } from '../ui/detect-passkey-support.ts'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PasswordField, TextField } from '../ui/fields/text.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/add-passkey'
import { formatDevice } from './device-name.ts'
import { assignPasskeyBrowserId } from './passkey-relying-party.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const profilePath = '/account-profile'
const title = 'Add a passkey'

export async function loader(args: Route.LoaderArgs) {
  const { site, account, chrome } = await openPortalPage(args)
  assignPasskeyBrowserId(site)
  const [login, { agent }] = await Promise.all([loadLogin(site.services, account.accountId), site.callers()])
  return { chrome, username: login?.username ?? '', name: formatDevice(agent) }
}

const refusalResponse = (message: string, status: number) =>
  data<{ fields: FieldErrors }>({ fields: { form: message } }, { status })

export async function action(args: Route.ActionArgs) {
  const { site } = await openPortalPage(args)
  const form = await readForm(args.request)
  if (form.intent === 'decline') {
    await site.call(DeclinePasskeys, {})
    return redirect('/my-units')
  }
  const checked = validate(passkeyName, form)
  if (!checked.ok) return data({ fields: checked.fields }, { status: 400 })
  if (!form.answer) return refusalResponse(passkeyNeedsBrowser, 400)
  const { passkeys: browser = '' } = site.session.ids
  const outcome = await site.call(KeepPasskey, { browser, answer: form.answer, name: checked.value.name })
  if (!outcome.ok) return refusalResponse(outcome.message, outcome.status)
  return redirectWithAlert(site, 'passkeyAdded', profilePath)
}

export default function AddPasskey({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, username, name } = loaderData
  const isSupported = usePasskeys()
  const submit = useSubmit()
  const isSending = useSubmitting()
  const [isPrompting, setIsPrompting] = useState(false)
  const [localErrors, setLocalErrors] = useState<{ fields: FieldErrors; after: unknown } | null>(null)
  const [turn, setTurn] = useState(0)
  // Errors found in the browser replace the server's until the next response of the server.
  const fields: FieldErrors =
    localErrors && localErrors.after === actionData ? localErrors.fields : (actionData?.fields ?? {})
  const hasErrors = Object.keys(fields).length > 0

  const createPasskey = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPrompting || isSending) return
    const form = new FormData(event.currentTarget)
    const showErrors = (fields: FieldErrors) => {
      setLocalErrors({ fields, after: actionData })
      setTurn((n) => n + 1)
    }
    setIsPrompting(true)
    try {
      const { createAccountPasskey, PasskeyRefused, passkeyErrorMessage } = await import('./passkeys-in-browser.ts')
      try {
        const answer = await createAccountPasskey(String(form.get('current_password') ?? ''))
        setLocalErrors(null)
        await submit({ intent: 'add', name: String(form.get('name') ?? ''), answer }, { method: 'post' })
      } catch (error) {
        const fieldErrors =
          error instanceof PasskeyRefused && Object.keys(error.fields).length > 0 ? error.fields : null
        showErrors(fieldErrors ?? { form: passkeyErrorMessage(error, passkeyNotAdded) ?? passkeyNotAdded })
      }
    } catch {
      showErrors({ form: serverUnreachable })
    }
    setIsPrompting(false)
  }

  return (
    <PortalFrame
      chrome={chrome}
      title={title}
      lead="Sign in with your fingerprint, face or screen lock instead of your password. Your password goes on working."
      back={profilePath}
      backLabel="My Profile"
      wrong={hasErrors}
    >
      {isSupported === false && (
        <Callout className="mt-6" tone="warn">
          <p>{passkeyNeedsBrowser}</p>
        </Callout>
      )}
      <Form method="post" className="mt-6 max-w-text" onSubmit={isSupported ? createPasskey : undefined} noValidate>
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
          <Button busy={isPrompting || isSending} busyLabel="One moment…" disabled={isSupported === false}>
            Create passkey
          </Button>
          <LinkButton kind="secondary" to={profilePath}>
            Cancel
          </LinkButton>
        </ButtonRow>
      </Form>
    </PortalFrame>
  )
}
