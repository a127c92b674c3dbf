import { readForm } from '../request/form-fields.ts'
import '../styles/journey.css'
import { data, Form, Link, redirect } from 'react-router'
import { forgotPassword, loginFailed } from '../../domain/texts/account.ts'
import { makeAPayment } from '../../domain/texts/payment.ts'
import { formUnreadable } from '../../domain/texts/site.ts'
import { loadAccountHeader } from '../../modules/accounts/account.ts'
import { trustBrowser } from '../../modules/accounts/known-browsers.ts'
import { login } from '../../modules/accounts/operations/login.ts'
import { signInByPasskey } from '../../modules/accounts/passkeys/account-passkeys.ts'
import { findAccountByUsername } from '../../modules/accounts/password-attempts.ts'
import { resolveBearerToken } from '../../modules/accounts/sessions.ts'
import { mailUnlock, verifyUnlockLink } from '../../modules/accounts/unlock-link.ts'
import { findExistingReservation } from '../../modules/reservations/texts/reserve.ts'
import { tenantKey } from '../portal/open-portal-page.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import * as fieldRules from '../request/form-rules.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, ButtonRow, SubmitRow } from '../ui/buttons.tsx'
import { RadioCards } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField, PasswordField } from '../ui/fields/text.tsx'
import type { FieldErrors } from '../ui/form-checks.ts'
import { PageFrame } from '../ui/page.tsx'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/login'
import { enterAccount } from './account-session.ts'
import { readNextPath, withNext } from './page-after-sign-in.ts'
import { accountRelyingParty, assignPasskeyBrowserId } from './passkey-relying-party.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { MailLink } from './unlock-link-offer.tsx'

export { submit as clientAction } from '../request/form-client-action.ts'

const title = 'Log in'
const home = '/my-units'

const wanted = (site: RequestContext, request: Request): string => readNextPath(site, request) || home

async function choices(site: RequestContext) {
  const { tenant } = await site.callers()
  const tenants = tenant ? (await loadAccountHeader(site.services, tenant)).tenants : []
  return tenants.map((tenant) => ({ value: tenantKey(tenant), label: tenant.facilityName }))
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const query = new URL(request.url).searchParams
  const mailed = query.get('unlock')
  const letIn = mailed === null ? null : await verifyUnlockLink(site.services, mailed)
  const facilities = await choices(site)
  if (facilities.length > 0 && !query.has('choose')) throw redirect(wanted(site, request))
  if (facilities.length === 0) assignPasskeyBrowserId(site)
  const next = readNextPath(site, request)
  return {
    brand: site.brand.name,
    facilities,
    ways: { login: withNext('/login', next), forgot: withNext('/forgot', next), register: withNext('/register', next) },
    /** Unlock token of the opened mail link; '' when it is expired or invalid, null without a link. */
    unlock: mailed === null ? null : letIn ? mailed : '',
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

const back = (returned: Returned, status: number) => data(returned, { status })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const form = await readForm(request)
  const next = wanted(site, request)
  if (form.intent === 'choose') return choose(site, form.at, next)
  if (form.intent === 'let in') return letIn(site, form.unlock ?? '')
  if (form.intent === 'passkey') return byPasskey(site, form.answer ?? '', next)
  const named = fieldRules.validate(fieldRules.username, form)
  if (!named.ok) return back({ step: 'username', username: form.username ?? '', fields: named.fields }, 400)
  const { username } = named.value
  switch (form.intent) {
    // The response is the same whether the user name exists or not.
    case 'next':
      return back({ step: 'password', username, fields: {} }, 200)
    case 'unlock':
      return mailLink(site, username)
    // Only the form with the password field counts as a try.
    case 'login':
      return byPassword(site, form, username, next)
    default:
      return back({ step: 'username', username, fields: { form: formUnreadable } }, 400)
  }
}

async function choose(site: RequestContext, at: string | undefined, next: string) {
  const chosen = (await choices(site)).find((one) => one.value === at)
  if (!chosen) return redirect('/login')
  site.session.set({ at: chosen.value, next: undefined })
  return redirect(next)
}

/** Unlocks this browser: the mailed link proves that it is the account holder's. Other browsers stay locked out. */
async function letIn(site: RequestContext, unlock: string) {
  const owner = await verifyUnlockLink(site.services, unlock)
  if (!owner) return redirect('/login?unlock=')
  site.session.set({ known: await trustBrowser(site.services, site.session.ids.known, owner.accountId) })
  return back({ step: 'password', username: owner.username, fields: {}, letIn: true }, 200)
}

async function byPasskey(site: RequestContext, answer: string, next: string) {
  const of = { browser: site.session.ids.passkeys ?? '', answer }
  const signed = await signInByPasskey(site.services, accountRelyingParty(site), of, await site.callers())
  if (!signed.ok) return back({ step: 'username', username: '', fields: { form: signed.message } }, signed.status)
  return goOn(site, signed.token, next)
}

async function mailLink(site: RequestContext, username: string) {
  const bound = { points: 5, perSeconds: 900, shared: true } as const
  const spent = await site.services.limits.consumeFrom((await site.callers()).address, 'unlock', bound)
  if (spent.allowed) await mailUnlock(site.services, await findAccountByUsername(site.services, username))
  return back({ step: 'password', username, fields: {}, locked: true, mailed: true }, 200)
}

async function byPassword(site: RequestContext, form: Record<string, string>, username: string, next: string) {
  const wrong = (fields: FieldErrors, status: number, locked = false) =>
    back({ step: 'password', username, fields, locked }, status)
  const checked = fieldRules.validate(fieldRules.login, form)
  if (!checked.ok) return wrong(checked.fields, 400)
  const signed = await site.call(login, { username, password: checked.value.password })
  if (!signed.ok) return wrong({ form: signed.message }, signed.status, signed.code === 'locked')
  const { result, message, token } = signed.value
  return result === 'success' ? goOn(site, token, next) : wrong({ password: message || loginFailed }, 403)
}

/**
 * Starts the session and redirects to `next`. An account with several tenants chooses one first, unless `next` names
 * one of them.
 */
async function goOn(site: RequestContext, token: string, next: string) {
  await enterAccount(site, token)
  const { tenant } = await resolveBearerToken(site.services, token)
  const tenants = tenant?.tenants ?? []
  const named = new URL(next, site.services.publicUrl).searchParams.get('at')
  if (tenants.length > 1 && !tenants.some((tenant) => tenantKey(tenant) === named)) {
    site.session.set({ next })
    return redirect('/login?choose=1')
  }
  return redirect(next)
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facilities, unlock, ways } = loaderData
  if (facilities.length > 0) return <Choose facilities={facilities} brand={brand} />
  const start: Returned = { step: 'username', username: '', fields: {} }
  const returned: Returned = actionData ? ('step' in actionData ? actionData : { ...start, ...actionData }) : start
  const wrong = Object.keys(returned.fields).length > 0
  return (
    <PageFrame narrow title={title} brand={brand} wrong={wrong}>
      {returned.step === 'password' && <BackLink to={ways.login}>Back</BackLink>}
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
        <Who returned={returned} />
      ) : (
        <Password returned={returned} login={ways.login} />
      )}
      <PasskeySignIn inField={returned.step === 'username' && !unlock} turn={actionData} />
      <WaysOn {...ways} />
    </PageFrame>
  )
}

const WaysOn = ({ forgot, register }: { forgot: string; register: string }) => (
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

function Who({ returned }: { returned: Returned }) {
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

function Password({ returned, login }: { returned: Returned; login: string }) {
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
          <MailLink intent="unlock" hidden={{ username: returned.username }}>
            We can mail the owner of the account a link that lets them in right away.
          </MailLink>
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

function Choose({ facilities, brand }: Pick<Route.ComponentProps['loaderData'], 'facilities' | 'brand'>) {
  return (
    <PageFrame narrow title="Choose a facility" brand={brand}>
      <h1>Choose a facility</h1>
      <p className="lead mt-2">You rent at more than one. You can change between them at any time.</p>
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
