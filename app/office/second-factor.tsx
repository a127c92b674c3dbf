import '../styles/form-pages.css'
import '../styles/office.css'
import { useState } from 'react'
import { data, Form, redirect, useSubmit } from 'react-router'
import type { FactorKind } from '../../domain/office/second-factors.ts'
import { signInOver } from '../../domain/texts/office-refusals.ts'
import { type FactorInput, verifySecondFactor } from '../../modules/staff/operations/verify-second-factor.ts'
import { loadFactorRequirement } from '../../modules/staff/views/second-factor-kinds.ts'
import { MailLinkOffer } from '../account/locked-out-mail-link-offer.tsx'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { Button, ButtonRow, useHydrated } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { pageTitle } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/second-factor'
import { officeRelyingParty } from './open-office-page.ts'
import { nextPage, withNext } from './page-after-sign-in.ts'
import { requireSigningInStaff } from './require-staff-after-password.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { usePasskeyPrompt } from './use-passkey-prompt.ts'

export const handle = { office: true }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const next = nextPage(new URL(request.url).searchParams.get('next'))
  const { staffId, name, email, isSignedIn: again } = await requireSigningInStaff(site)
  const { has } = await loadFactorRequirement(site.services, staffId)
  if (!again && has.length === 0) throw redirect(withNext('/office/add-factor', next))
  return { brand: site.brand.name, name, email, again, has: [...has] }
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const next = nextPage(new URL(request.url).searchParams.get('next'))
  const { token } = await requireSigningInStaff(site)
  const session = { token, device: site.office.device }
  const form = await readForm(request)
  const callers = await site.callers()
  const kind = form.intent === 'totp' || form.intent === 'recovery' ? form.intent : 'passkey'
  const factorInput: FactorInput =
    kind === 'passkey' ? { kind, answer: form.answer ?? '' } : { kind, code: (form.code ?? '').slice(0, 60) }
  const outcome = await verifySecondFactor(site.services, officeRelyingParty(site), session, factorInput, callers)
  if (!outcome.ok) {
    const message = outcome.status === 401 ? signInOver : outcome.message
    const fields: FieldErrors = { [kind === 'passkey' ? 'form' : 'code']: message }
    return data(
      {
        fields,
        locked: outcome.code === 'locked',
      },
      { status: outcome.status },
    )
  }
  site.office.set(outcome.token)
  return redirect(next)
}

/**
 * Page that asks a staff member for a second factor: at sign-in, and again before operations that need a fresh one,
 * such as a refund, an auction sale or a change of staff roles.
 */
export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, email, again, has } = loaderData
  const [kind, setKind] = useState<FactorKind>(has[0] ?? 'passkey')
  const fields: FieldErrors = actionData?.fields ?? {}
  const title = again ? 'Confirm that it is you' : 'Second factor'
  return (
    <SignInFrame brand={brand}>
      <title>{pageTitle(title, brand, Object.keys(fields).length > 0)}</title>
      <h1>{title}</h1>
      <p className="soft">{again ? `${name}, this act asks for your second factor again.` : `Welcome, ${name}.`}</p>
      <ErrorSummary errors={fields} />
      {!again && actionData && 'locked' in actionData && actionData.locked && (
        <MailLinkOffer intent="unlock" hidden={{ email }} action="/office/sign-in">
          We can mail you a link that lets you try again right away.
        </MailLinkOffer>
      )}
      {kind === 'passkey' ? <PasskeyStep /> : <CodeStep kind={kind} error={fields.code} />}
      <ul className="mt-6">
        {has
          .filter((other) => other !== kind)
          .map((other) => (
            <li key={other}>
              <button type="button" className="btn btn-link" onClick={() => setKind(other)}>
                {{ passkey: 'Use a passkey', totp: 'Use an authenticator app', recovery: 'Use a recovery code' }[other]}
              </button>
            </li>
          ))}
        <li>
          <a href="/office/sign-out">Sign in with another account</a>
        </li>
      </ul>
    </SignInFrame>
  )
}

function CodeStep({ kind, error }: { kind: 'totp' | 'recovery'; error?: string | undefined }) {
  const busy = useSubmitting()
  return (
    <Form method="post" className="mt-6">
      <input type="hidden" name="intent" value={kind} />
      <TextField
        name="code"
        label={kind === 'totp' ? 'Code from your authenticator app' : 'Recovery code'}
        hint={kind === 'totp' ? 'Six digits' : 'From the sheet you kept. Each code works once.'}
        autoComplete="one-time-code"
        inputMode={kind === 'totp' ? 'numeric' : 'text'}
        maxLength={kind === 'totp' ? 8 : 40}
        width={kind === 'totp' ? 10 : 20}
        error={error}
      />
      <ButtonRow>
        <Button busy={busy} busyLabel="One moment…">
          Go on
        </Button>
      </ButtonRow>
    </Form>
  )
}

function PasskeyStep() {
  const hydrated = useHydrated()
  const submit = useSubmit()
  const { busy, message, prompt } = usePasskeyPrompt('No passkey was used. Try again.')
  const signInByPasskey = () =>
    prompt(async ({ promptForPasskeyAt }) => {
      const answer = await promptForPasskeyAt('/office/passkey-options', { intent: 'sign-in' })
      await submit({ intent: 'passkey', answer }, { method: 'post' })
    })
  return (
    <div className="mt-6">
      <Button type="button" busy={busy} onClick={signInByPasskey} disabled={!hydrated}>
        Use your passkey
      </Button>
      <p className="small soft mt-2" role="status">
        {hydrated ? message : 'A passkey needs scripts in this browser.'}
      </p>
    </div>
  )
}
