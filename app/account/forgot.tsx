import '../styles/journey.css'
import { useEffect } from 'react'
import { data, Form, redirect, useNavigate, useNavigation } from 'react-router'
import { RESET_REDIRECT_MS } from '../../domain/business.ts'
import { PASSWORD_MIN } from '../../domain/field-lengths.ts'
import * as fieldRules from '../../domain/fields.ts'
import { messages } from '../../domain/messages.ts'
import { ValidatePasswordRequestIsExist } from '../../storage-system/account-look-ups.ts'
import { finishReset, nameOfReset, resetStep, tryResetCode } from '../../storage-system/reset.ts'
import { withMark } from '../../storage-system/sign-in.ts'
import { readForm } from '../reserve/reserving.ts'
import { send } from '../reserve/sending.ts'
import { siteOf } from '../site.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { CodeField, EmailField, ErrorSummary, PasswordField } from '../ui/fields.tsx'
import type { FieldErrors } from '../ui/form-checks.ts'
import { BackLink } from '../ui/journey.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/forgot'

const title = 'Reset your password'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = siteOf(context)
  const query = new URL(request.url).searchParams
  const saved = query.has('saved')
  const page = {
    brand: site.brand.name,
    step: saved ? ('saved' as const) : await resetStep(site.house, site.session.ids.resetId),
    /** Another code was asked for on the page before. */
    again: query.has('again'),
    saved: messages.newPasswordSaved,
  }
  // For whoever has no scripts; the others are taken on by the page itself.
  return data(page, saved ? { headers: { Refresh: `${RESET_REDIRECT_MS / 1000};url=/login` } } : {})
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export async function action({ request, context }: Route.ActionArgs) {
  const site = siteOf(context)
  const form = await readForm(request)
  const { resetId } = site.session.ids
  const back = (fields: FieldErrors, status: number, username = form.username ?? '') =>
    data({ fields, username, locked: status === 429 }, { status })
  switch (form.intent) {
    case 'code': {
      const checked = fieldRules.validate(fieldRules.resetCode, form)
      if (!checked.ok) return back(checked.fields, 400)
      const tried = resetId ? await tryResetCode(site.house, resetId, checked.value.code, await site.callers()) : 'over'
      if (tried === 'matched') return redirect('/forgot')
      if (tried === 'wrong') return back({ code: messages.enterCorrectCode }, 400)
      site.session.set({ resetId: undefined })
      return back({ form: messages.resetOver }, 400)
    }
    case 'password': {
      const checked = fieldRules.validate(fieldRules.resetPassword, form)
      if (!checked.ok) return back(checked.fields, 400)
      const finished = resetId ? await finishReset(site.house, resetId, checked.value.password) : null
      if (finished && !finished.ok && finished.weak) return back({ password: finished.weak }, 400)
      site.session.set({ resetId: undefined })
      if (!finished?.ok) return back({ form: messages.resetOver }, 400)
      // Whoever reads the account's mail is its owner: a stranger's wrong guesses do not keep this browser out.
      const known = await withMark(site.house, site.session.ids.known, finished.accountId)
      site.session.set({ token: undefined, at: undefined, known })
      return redirect('/forgot?saved=1')
    }
    case 'other':
      site.session.set({ resetId: undefined })
      return redirect('/forgot')
    default: {
      const again = form.intent === 'again'
      const username = again ? await nameOfReset(site.house, resetId) : form.username
      const checked = fieldRules.validate(fieldRules.username, { username })
      if (!checked.ok) return again ? redirect('/forgot') : back(checked.fields, 400)
      const asked = await site.call(ValidatePasswordRequestIsExist, { username: checked.value.username })
      if (!asked.ok) return back({ form: asked.message }, asked.status, checked.value.username)
      if (asked.value.code === '1001') return back({ form: asked.value.message }, 404)
      return redirect(again ? '/forgot?again=1' : '/forgot')
    }
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

/** /forgot (spec 2 §4 "Password reset"): who, the mailed code, the new password, and back to the log-in. */
export default function Forgot({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, step, again } = loaderData
  const fields: FieldErrors = actionData?.fields ?? {}
  const busy = useNavigation().formMethod === 'POST'
  return (
    <PageFrame narrow>
      <title>{pageTitle(title, brand, Object.keys(fields).length > 0)}</title>
      <BackLink to="/login" />
      <ErrorSummary errors={fields} general={['', 'form']} />
      <h1>{title}</h1>
      {actionData && 'locked' in actionData && actionData.locked && (
        <Form method="post" action="/login" className="mt-6">
          <input type="hidden" name="username" value={actionData.username} />
          <Callout tone="warn" title="Was it not you who asked?">
            <p>We can mail the owner of the account a link that lets this browser go on right away.</p>
            <p className="mt-3">
              <Button kind="secondary" name="intent" value="unlock">
                Mail me the link
              </Button>
            </p>
          </Callout>
        </Form>
      )}
      {step === 'saved' ? (
        <Saved sentence={loaderData.saved} />
      ) : step === 'password' ? (
        <Form method="post">
          <input type="hidden" name="intent" value="password" />
          <p className="lead mt-2">The code is right. Choose a new password.</p>
          <PasswordField
            name="password"
            label="New password"
            hint={`At least ${PASSWORD_MIN} characters. A few words together are easy to keep in mind and hard to guess.`}
            autoComplete="new-password"
            error={fields.password}
          />
          <PasswordField
            name="confirm_password"
            label="Confirm password"
            autoComplete="new-password"
            error={fields.confirm_password}
          />
          <ButtonRow>
            <Button busy={busy} busyLabel="Saving">
              Save my password
            </Button>
          </ButtonRow>
        </Form>
      ) : step === 'code' ? (
        <>
          <Form method="post">
            <input type="hidden" name="intent" value="code" />
            <p className="lead mt-2">
              We have found your account and mailed you {again ? 'another' : 'a'} code of 4 digits. It is good for 15
              minutes, in this browser.
            </p>
            <CodeField name="code" label="Code" error={fields.code} />
            <ButtonRow>
              <Button busy={busy}>Go on</Button>
            </ButtonRow>
          </Form>
          <Form method="post" className="mt-10">
            <p className="soft">No mail? Look among the unwanted ones first. A new code makes the earlier one void.</p>
            <ButtonRow>
              <Button kind="secondary" name="intent" value="again">
                Send another code
              </Button>
              <Button kind="quiet" name="intent" value="other">
                Use another e-mail
              </Button>
            </ButtonRow>
          </Form>
        </>
      ) : (
        <Form method="post">
          <p className="lead mt-2">Enter your e-mail or username, and we mail you a code.</p>
          <EmailField
            name="username"
            type="text"
            label="E-mail or username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={actionData && 'username' in actionData ? actionData.username : undefined}
            error={fields.username}
          />
          <ButtonRow>
            <Button busy={busy} busyLabel="Sending">
              Send me a code
            </Button>
            <LinkButton kind="secondary" to="/register">
              Sign Up
            </LinkButton>
          </ButtonRow>
        </Form>
      )}
    </PageFrame>
  )
}

/** The specification's two seconds; a link for whoever has no scripts or no patience. */
function Saved({ sentence }: { sentence: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/login', { replace: true }), RESET_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <div className="mt-6">
      <Callout tone="success" live title={sentence}>
        <p>
          You were logged out everywhere. <a href="/login">Log in with the new password</a>
        </p>
      </Callout>
    </div>
  )
}
