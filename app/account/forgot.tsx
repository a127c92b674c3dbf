import { readForm } from '../request/read-form-fields.ts'
import '../styles/form-pages.css'
import { useEffect } from 'react'
import { data, Form, redirect, useNavigate } from 'react-router'
import { enterCorrectCode, newPasswordSaved, resetOver } from '../../domain/texts/account.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { CheckResetCode } from '../../modules/accounts/operations/check-reset-code.ts'
import { FinishReset } from '../../modules/accounts/operations/finish-reset.ts'
import { ValidatePasswordRequestIsExist } from '../../modules/accounts/operations/mail-password-reset-code.ts'
import { RESET_REDIRECT_MS } from '../../modules/accounts/rules/generate-reset-code.ts'
import { addTrustedBrowserMark } from '../../modules/accounts/views/mark-browser-for-own-attempt-count.ts'
import { loadPasswordResetPage, loadResetUsername } from '../../modules/accounts/views/password-reset-page.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { addNextPath } from '../request/same-site-path.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, ButtonRow, LinkButton, SubmitButton, SubmitRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { CodeField, EmailField } from '../ui/fields/text.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import type { FieldErrors, FormChecks, FormValues } from '../ui/use-form-checks.ts'
import type { Route } from './+types/forgot'
import { MailLinkOffer } from './locked-out-mail-link-offer.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { readNextPath } from './page-after-sign-in.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Reset your password'

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const query = new URL(request.url).searchParams
  const saved = query.has('saved')
  const { step, passkeys } = saved
    ? { step: 'saved' as const, passkeys: [] }
    : await loadPasswordResetPage(site.services, site.session.ids.resetId)
  const next = readNextPath(site, request)
  const login = addNextPath('/login', next)
  const page = {
    brand: site.brand.name,
    step,
    /** Names of the account's passkeys. A reset keeps the passkeys unless the account holder removes them. */
    passkeys,
    again: query.has('again'),
    undone: query.has('undone'),
    saved: newPasswordSaved,
    login,
    register: addNextPath('/register', next),
  }
  // Redirects browsers without scripts; with scripts the page redirects itself.
  return data(page, saved ? { headers: { Refresh: `${RESET_REDIRECT_MS / 1000};url=${login}` } } : {})
}

/**
 * Reloads the data of the password-reset page also after a refusal (4xx), so that an expired reset shows the form for a
 * new code.
 */
export const shouldRevalidate = ({ actionStatus = 200 }: { actionStatus?: number }) => actionStatus < 500

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

const formResponse = (fields: FieldErrors, status: number, username = '') =>
  data({ fields, username, locked: status === 429 }, { status })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const form = await readForm(request)
  const redirectTo = (path: string) => redirect(addNextPath(path, readNextPath(site, request)))
  switch (form.intent) {
    case 'code':
      return checkCode(site, form, redirectTo)
    case 'password':
      return saveNewPassword(site, form, redirectTo)
    case 'other':
      site.session.set({ resetId: undefined })
      return redirectTo('/forgot')
    case undefined:
    case 'again':
      return sendCode(site, form, redirectTo)
    default:
      return formResponse({ form: formUnreadable }, 400, form.username)
  }
}

type Redirect = (path: string) => Response

async function checkCode(site: RequestContext, form: FormValues, redirectTo: Redirect) {
  const checked = fieldRules.validate(fieldRules.resetCode, form)
  if (!checked.ok) return formResponse(checked.fields, 400)
  const outcome = await site.call(CheckResetCode, { code: checked.value.code })
  if (outcome.ok && outcome.value === 'matched') return redirectTo('/forgot')
  if (outcome.ok && outcome.value === 'wrong') return formResponse({ code: enterCorrectCode }, 400)
  site.session.set({ resetId: undefined })
  return formResponse({ form: resetOver }, 400)
}

async function saveNewPassword(site: RequestContext, form: FormValues, redirectTo: Redirect) {
  const checked = fieldRules.validate(fieldRules.resetPassword, form)
  if (!checked.ok) return formResponse(checked.fields, 400)
  const input = { password: checked.value.password, removePasskeys: form.remove_passkeys === '1' }
  const outcome = await site.call(FinishReset, input)
  const result = outcome.ok ? outcome.value : { ok: false as const, passwordError: null }
  if (!result.ok && result.passwordError) return formResponse({ password: result.passwordError }, 400)
  site.session.set({ resetId: undefined })
  if (!result.ok) return formResponse({ form: resetOver }, 400)
  // The code, or the link that undid a change, shows that the visitor reads the account's mail, so wrong passwords
  // tried in other browsers do not lock this one out.
  const trusted = await addTrustedBrowserMark(site.services, site.session.ids.known, result.accountId)
  site.session.set({ token: undefined, at: undefined, known: trusted })
  return redirectTo('/forgot?saved=1')
}

async function sendCode(site: RequestContext, form: FormValues, redirectTo: Redirect) {
  const isRepeat = form.intent === 'again'
  const requestedName = isRepeat ? await loadResetUsername(site.services, site.session.ids.resetId) : form.username
  const checked = fieldRules.validate(fieldRules.username, { username: requestedName })
  if (!checked.ok) return isRepeat ? redirectTo('/forgot') : formResponse(checked.fields, 400, requestedName)
  const { username } = checked.value
  const outcome = await site.call(ValidatePasswordRequestIsExist, { username })
  if (!outcome.ok) return formResponse({ form: outcome.message }, outcome.status, username)
  if (outcome.value.code === '1001') return formResponse({ form: outcome.value.message }, 404, username)
  return redirectTo(isRepeat ? '/forgot?again=1' : '/forgot')
}

interface Returned {
  fields: FieldErrors
  username?: string
  locked?: boolean
}

export default function Forgot({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, step, again, login } = loaderData
  const returned: Returned = actionData ?? { fields: {} }
  return (
    <PageFrame narrow>
      <BackLink to={login} />
      {step === 'saved' ? (
        <>
          <title>{pageTitle(title, brand)}</title>
          <h1>{title}</h1>
          <SavedMessage sentence={loaderData.saved} login={login} />
        </>
      ) : step === 'password' ? (
        <NewPasswordForm brand={brand} returned={returned} undone={loaderData.undone} passkeys={loaderData.passkeys} />
      ) : step === 'code' ? (
        <CodeForm brand={brand} login={login} returned={returned} again={again} />
      ) : (
        <UsernameForm brand={brand} login={login} register={loaderData.register} returned={returned} />
      )}
    </PageFrame>
  )
}

interface StepProps {
  brand: string
  returned: Returned
}

function Heading({ brand, checks }: { brand: string; checks: FormChecks }) {
  return (
    <>
      <title>{pageTitle(title, brand, checks.wrong)}</title>
      <h1>{title}</h1>
      <ErrorSummary {...checks.summary} />
    </>
  )
}

function UsernameForm({ brand, login, register, returned }: StepProps & { login: string; register: string }) {
  const checks = useFormValidation('username', returned.fields)
  return (
    <>
      <Heading brand={brand} checks={checks} />
      {returned.locked && <UnlockOffer username={returned.username ?? ''} login={login} />}
      <Form method="post" {...checks.form}>
        <p className="lead mt-2">Enter your e-mail or username, and we mail you a code.</p>
        <EmailField
          {...checks.field('username')}
          type="text"
          label="E-mail or username"
          autoComplete="username"
          defaultValue={returned.username}
        />
        <ButtonRow>
          <SubmitButton busyLabel="Sending">Send me a code</SubmitButton>
          <LinkButton kind="secondary" to={register}>
            Sign Up
          </LinkButton>
        </ButtonRow>
      </Form>
    </>
  )
}

/** Offers an unlock link by mail when too many codes were requested, since others may have requested them. */
function UnlockOffer({ username, login }: { username: string; login: string }) {
  return (
    <MailLinkOffer title="Was it not you who asked?" intent="unlock" hidden={{ username }} action={login}>
      We can mail the owner of the account a link that lets this browser go on right away.
    </MailLinkOffer>
  )
}

function CodeForm({ brand, login, returned, again }: StepProps & { login: string; again: boolean }) {
  const checks = useFormValidation('resetCode', returned.fields)
  return (
    <>
      <Heading brand={brand} checks={checks} />
      {returned.locked && <UnlockOffer username={returned.username ?? ''} login={login} />}
      <Form method="post" {...checks.form}>
        <input type="hidden" name="intent" value="code" />
        <p className="lead mt-2">
          We have found your account and mailed you {again ? 'another' : 'a'} code of 4 digits. It is good for 15
          minutes, in this browser.
        </p>
        <CodeField {...checks.field('code')} label="Code" maxLength={12} />
        <SubmitRow>Go on</SubmitRow>
      </Form>
      <Form method="post" className="mt-10">
        <p className="soft">No mail? Look in your spam folder first. A new code replaces the earlier one.</p>
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
  )
}

function NewPasswordForm({ brand, returned, undone, passkeys }: StepProps & { undone: boolean; passkeys: string[] }) {
  const checks = useFormValidation('resetPassword', returned.fields)
  return (
    <>
      <Heading brand={brand} checks={checks} />
      <Form method="post" {...checks.form}>
        <input type="hidden" name="intent" value="password" />
        <p className="lead mt-2">
          {undone ? 'The change is undone, and all devices are signed out.' : 'The code is right.'} Choose a new
          password.
        </p>
        <NewPasswordFields checks={checks} />
        {passkeys.length > 0 && (
          <CheckboxField
            name="remove_passkeys"
            label="Remove my passkeys"
            hint={`They sign in without a password: ${passkeys.join(', ')}. Remove them if you do not know one of them.`}
          />
        )}
        <SubmitRow busyLabel="Saving">Save my password</SubmitRow>
      </Form>
    </>
  )
}

function SavedMessage({ sentence, login }: { sentence: string; login: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate(login, { replace: true }), RESET_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [navigate, login])
  return (
    <Callout className="mt-6" tone="success" live title={sentence}>
      <p>
        You were logged out everywhere. <a href={login}>Log in with the new password</a>
      </p>
    </Callout>
  )
}
