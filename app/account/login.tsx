import { readForm } from '../request/read-form-fields.ts'
import '../styles/form-pages.css'
import { data, Form, Link, redirect } from 'react-router'
import { forgotPassword, loginFailed } from '../../domain/texts/account.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { makeAPayment } from '../../domain/texts/payment.ts'
import { login } from '../../modules/accounts/operations/login.ts'
import { mailUnlockLink } from '../../modules/accounts/operations/mail-unlock-link.ts'
import { signInByPasskey } from '../../modules/accounts/operations/sign-in-by-passkey.ts'
import { loadAccountHeader } from '../../modules/accounts/views/account-tenants-and-pending-terms.ts'
import { addTrustedBrowserMark } from '../../modules/accounts/views/mark-browser-for-own-attempt-count.ts'
import { findUnlockLinkOwner } from '../../modules/accounts/views/unlock-link-owner.ts'
import { findExistingReservation } from '../../modules/reservations/texts/reserve.ts'
import { loadTenantOptions, tenantKey } from '../portal/open-portal-page.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { addNextPath } from '../request/same-site-path.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, ButtonRow, SubmitRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { RadioCards } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField, PasswordField } from '../ui/fields/text.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import type { Route } from './+types/login'
import { MailLinkOffer } from './locked-out-mail-link-offer.tsx'
import { readNextPath } from './page-after-sign-in.ts'
import { accountRelyingParty, assignPasskeyBrowserId } from './passkey-relying-party.ts'
import { PasskeySignInButton } from './passkey-sign-in-button.tsx'
import { enterAccount } from './start-and-end-session.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Log in'
const home = '/my-units'

const pathAfterSignIn = (site: RequestContext, request: Request): string => readNextPath(site, request) || home

async function loadChoices(site: RequestContext) {
  const { tenant } = await site.callers()
  const tenants = tenant ? (await loadAccountHeader(site.services, tenant)).tenants : []
  return loadTenantOptions(site.services, tenants)
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const query = new URL(request.url).searchParams
  const unlockToken = query.get('unlock')
  const owner = unlockToken === null ? null : await findUnlockLinkOwner(site.services, unlockToken)
  const facilities = await loadChoices(site)
  if (facilities.length > 0 && !query.has('choose')) throw redirect(pathAfterSignIn(site, request))
  if (facilities.length === 0) assignPasskeyBrowserId(site)
  const next = readNextPath(site, request)
  return {
    brand: site.brand.name,
    facilities,
    links: {
      login: addNextPath('/login', next),
      forgot: addNextPath('/forgot', next),
      register: addNextPath('/register', next),
    },
    /** Unlock token of the opened mail link; '' when it is expired or invalid, null without a link. */
    unlock: unlockToken === null ? null : owner ? unlockToken : '',
  }
}

interface Returned {
  step: 'username' | 'password'
  username: string
  fields: FieldErrors
  locked?: boolean
  mailed?: boolean
  letIn?: boolean
}

const formResponse = (returned: Returned, status: number) => data(returned, { status })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const form = await readForm(request)
  const next = pathAfterSignIn(site, request)
  if (form.intent === 'choose') return chooseFacility(site, form.at, next)
  if (form.intent === 'let in') return unlockBrowser(site, form.unlock ?? '')
  if (form.intent === 'passkey') return signInWithPasskey(site, form.answer ?? '', next)
  const checked = fieldRules.validate(fieldRules.username, form)
  if (!checked.ok) return formResponse({ step: 'username', username: form.username ?? '', fields: checked.fields }, 400)
  const { username } = checked.value
  switch (form.intent) {
    // The response is the same whether the user name exists or not.
    case 'next':
      return formResponse({ step: 'password', username, fields: {} }, 200)
    case 'unlock':
      return sendUnlockLink(site, username)
    // Only the form with the password field counts as an attempt.
    case 'login':
      return signInWithPassword(site, form, username, next)
    default:
      return formResponse({ step: 'username', username, fields: { form: formUnreadable } }, 400)
  }
}

async function chooseFacility(site: RequestContext, at: string | undefined, next: string) {
  const chosen = (await loadChoices(site)).find((choice) => choice.value === at)
  if (!chosen) return redirect('/login')
  site.session.set({ at: chosen.value, next: undefined })
  return redirect(next)
}

/**
 * Unlocks this browser, since opening the mailed link in it shows that the account holder uses it. Other browsers stay
 * locked out.
 */
async function unlockBrowser(site: RequestContext, unlock: string) {
  const owner = await findUnlockLinkOwner(site.services, unlock)
  if (!owner) return redirect('/login?unlock=')
  site.session.set({ known: await addTrustedBrowserMark(site.services, site.session.ids.known, owner.accountId) })
  return formResponse({ step: 'password', username: owner.username, fields: {}, letIn: true }, 200)
}

async function signInWithPasskey(site: RequestContext, answer: string, next: string) {
  const passkey = { browser: site.session.ids.passkeys ?? '', answer }
  const outcome = await signInByPasskey(site.services, accountRelyingParty(site), passkey, await site.callers())
  if (!outcome.ok)
    return formResponse({ step: 'username', username: '', fields: { form: outcome.message } }, outcome.status)
  return startSession(site, outcome.token, next)
}

async function sendUnlockLink(site: RequestContext, username: string) {
  await mailUnlockLink(site.services, username, (await site.callers()).address)
  return formResponse({ step: 'password', username, fields: {}, locked: true, mailed: true }, 200)
}

async function signInWithPassword(site: RequestContext, form: Record<string, string>, username: string, next: string) {
  const errorResponse = (fields: FieldErrors, status: number, locked = false) =>
    formResponse({ step: 'password', username, fields, locked }, status)
  const checked = fieldRules.validate(fieldRules.login, form)
  if (!checked.ok) return errorResponse(checked.fields, 400)
  const outcome = await site.call(login, { username, password: checked.value.password })
  if (!outcome.ok) return errorResponse({ form: outcome.message }, outcome.status, outcome.code === 'locked')
  const { result, message, token } = outcome.value
  return result === 'success'
    ? startSession(site, token, next)
    : errorResponse({ password: message || loginFailed }, 403)
}

/**
 * Starts the session and redirects to `next`. If the account has several tenants, the visitor chooses one first, unless
 * `next` names one of them in its parameter `at`.
 */
async function startSession(site: RequestContext, token: string, next: string) {
  const tenants = await enterAccount(site, token)
  const tenantInNext = new URL(next, site.services.publicUrl).searchParams.get('at')
  if (tenants.length > 1 && !tenants.some((tenant) => tenantKey(tenant) === tenantInNext)) {
    site.session.set({ next })
    return redirect('/login?choose=1')
  }
  return redirect(next)
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facilities, unlock, links } = loaderData
  if (facilities.length > 0) return <FacilityChoice facilities={facilities} brand={brand} />
  const start: Returned = { step: 'username', username: '', fields: {} }
  const returned: Returned = actionData ? ('step' in actionData ? actionData : { ...start, ...actionData }) : start
  const hasErrors = Object.keys(returned.fields).length > 0
  return (
    <PageFrame narrow title={title} brand={brand} wrong={hasErrors}>
      {returned.step === 'password' && <BackLink to={links.login}>Back</BackLink>}
      <h1>{title}</h1>
      <ErrorSummary errors={returned.fields} />
      {returned.letIn && (
        <Callout className="mt-6" tone="success" live title="You can try again">
          <p>In this browser, at once. If the wrong tries were not yours, choose a new password after logging in.</p>
        </Callout>
      )}
      {!actionData && unlock === '' && (
        <Callout className="mt-6" tone="warn">
          <p>This link is too old or was not made by us. Log in below, or reset your password.</p>
        </Callout>
      )}
      {!actionData && unlock ? (
        <Form method="post" className="mt-6">
          <input type="hidden" name="intent" value="let in" />
          <input type="hidden" name="unlock" value={unlock} />
          <p className="lead">The link we mailed you lets you try your password again in this browser.</p>
          <ButtonRow>
            <Button>Go on</Button>
          </ButtonRow>
        </Form>
      ) : returned.step === 'username' ? (
        <UsernameForm returned={returned} />
      ) : (
        <PasswordForm returned={returned} login={links.login} />
      )}
      <PasskeySignInButton inField={returned.step === 'username' && !unlock} turn={actionData} />
      <OtherLinks {...links} />
    </PageFrame>
  )
}

const OtherLinks = ({ forgot, register }: { forgot: string; register: string }) => (
  <ul className="mt-8 [&>li]:flex [&>li]:flex-wrap [&>li]:items-baseline [&>li]:gap-x-1.5 [&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center">
    <li>
      <a href={forgot}>{forgotPassword}</a>
    </li>
    <li>
      <a href={register}>Register</a> <span className="soft">if you rent a unit and have no online account yet</span>
    </li>
    <li>
      <a href="/guest/find-email">{makeAPayment}</a> <span className="soft">without logging in</span>
    </li>
    <li>
      <a href="/find-reservation">{findExistingReservation}</a>
    </li>
    <li>
      <a href="/find-gate-code">Find my gate code</a>
    </li>
  </ul>
)

function UsernameForm({ returned }: { returned: Returned }) {
  const checks = useFormValidation('username', returned.fields)
  return (
    <Form method="post" {...checks.form}>
      <input type="hidden" name="intent" value="next" />
      <EmailField
        {...checks.field('username')}
        type="text"
        label="E-mail or username"
        autoComplete="username webauthn"
        defaultValue={returned.username}
      />
      <SubmitRow unavailable={checks.missing?.username ? 'Enter your e-mail or username to go on.' : null}>
        Next
      </SubmitRow>
    </Form>
  )
}

function PasswordForm({ returned, login }: { returned: Returned; login: string }) {
  const checks = useFormValidation('login', returned.fields)
  return (
    <>
      <p className="lead mt-2">
        <span className="break-all">{returned.username}</span>{' '}
        <Link to={login} className="small whitespace-nowrap">
          Use another name
        </Link>
      </p>
      {returned.mailed ? (
        <Callout className="mt-6" tone="info" live title="Look into your mailbox">
          <p>If this is an account of ours, we have mailed its owner a link that lets them in.</p>
        </Callout>
      ) : (
        returned.locked && (
          <MailLinkOffer intent="unlock" hidden={{ username: returned.username }}>
            We can mail the owner of the account a link that lets them in right away.
          </MailLinkOffer>
        )
      )}
      <Form method="post" {...checks.form}>
        <input type="hidden" name="intent" value="login" />
        <input type="text" name="username" autoComplete="username" value={returned.username} readOnly hidden />
        <PasswordField {...checks.field('password')} label="Password" autoComplete="current-password" />
        <SubmitRow
          busyLabel="One moment…"
          unavailable={checks.missing?.password ? 'Enter your password to go on.' : null}
        >
          Log in
        </SubmitRow>
      </Form>
    </>
  )
}

function FacilityChoice({ facilities, brand }: Pick<Route.ComponentProps['loaderData'], 'facilities' | 'brand'>) {
  return (
    <PageFrame narrow title="Choose a facility" brand={brand}>
      <h1>Choose a facility</h1>
      <p className="lead mt-2">You can choose another one at any time.</p>
      <Form method="post">
        <input type="hidden" name="intent" value="choose" />
        <RadioCards name="at" legend="Facility" legendHidden defaultValue={facilities[0]?.value} options={facilities} />
        <ButtonRow>
          <Button>Go on</Button>
        </ButtonRow>
      </Form>
    </PageFrame>
  )
}
