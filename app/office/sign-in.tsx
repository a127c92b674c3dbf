import '../styles/form-pages.css'
import '../styles/office.css'
import { data, Form, redirect } from 'react-router'
import { consumeStaffUnlock } from '../../modules/staff/operations/consume-staff-unlock.ts'
import { mailStaffUnlock } from '../../modules/staff/operations/mail-staff-unlock.ts'
import { startOfficeSignIn } from '../../modules/staff/operations/start-office-sign-in.ts'
import { isStaffUnlockLinkUsable } from '../../modules/staff/views/staff-unlock-link.ts'
import { MailLinkOffer } from '../account/locked-out-mail-link-offer.tsx'
import { contextOf, type RequestContext } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField, PasswordField } from '../ui/fields/text.tsx'
import { pageTitle } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/sign-in'
import { nextPage, withNext } from './page-after-sign-in.ts'
import { SignInFrame } from './sign-in-frame.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const handle = { office: true }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const query = new URL(request.url).searchParams
  if ((await site.callers()).staff) throw redirect(nextPage(query.get('next')))
  const mailedToken = query.get('unlock')
  return {
    brand: site.brand.name,
    /** Unlock token of the opened mail link; '' when it is used, expired or invalid, null without a link. */
    unlock:
      mailedToken === null ? null : (await isStaffUnlockLinkUsable(site.services, mailedToken)) ? mailedToken : '',
  }
}

interface SignInResult {
  email: string
  fields: FieldErrors
  locked?: boolean
  mailed?: boolean
  letIn?: boolean
}

const respond = (result: SignInResult, status: number) => data(result, { status })

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const next = nextPage(new URL(request.url).searchParams.get('next'))
  const { intent, unlock = '', email = '', password = '' } = await readForm(request)
  if (intent === 'let in') return unlockBrowser(site, unlock)
  if (email.trim() === '') return respond({ email, fields: { email: 'Enter your e-mail address.' } }, 400)
  if (intent === 'unlock') return sendUnlockLink(site, email.trim().slice(0, 254))
  if (password === '') return respond({ email, fields: { password: 'Enter your password.' } }, 400)
  const credentials = {
    email: email.trim().slice(0, 254),
    password: password.slice(0, 200),
    device: site.office.device,
  }
  const outcome = await startOfficeSignIn(site.services, credentials, await site.callers())
  if (!outcome.ok)
    return respond({ email, fields: { form: outcome.message }, locked: outcome.code === 'locked' }, outcome.status)
  site.office.set(outcome.token)
  return redirect(withNext('/office/second-factor', next))
}

/** Mails an unlock link. The response is the same whether or not a staff member has the address. */
async function sendUnlockLink(site: RequestContext, email: string) {
  await mailStaffUnlock(site.services, email, await site.callers())
  return respond({ email, fields: {}, mailed: true }, 200)
}

/** Unlocks this browser: the mailed link proves that a staff member uses the browser. Other browsers stay locked. */
async function unlockBrowser(site: RequestContext, unlock: string) {
  const email = await consumeStaffUnlock(site.services, unlock, site.office.device)
  return email === null ? redirect('/office/sign-in?unlock=') : respond({ email, fields: {}, letIn: true }, 200)
}

/** Page of the first sign-in step: e-mail and password, or the button of a mailed unlock link. */
export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, unlock } = loaderData
  const start: SignInResult = { email: '', fields: {} }
  const result: SignInResult = actionData ? { ...start, ...actionData } : start
  const hasOpenedLink = !actionData && unlock !== null
  return (
    <SignInFrame brand={brand}>
      <title>{pageTitle('Office sign-in', brand, Object.keys(result.fields).length > 0)}</title>
      <h1>Office sign-in</h1>
      <p className="soft">
        For the people who run the facilities. Tenants <a href="/login">log in here</a>.
      </p>
      <ErrorSummary errors={result.fields} />
      {result.letIn && (
        <Callout className="mt-6" tone="success" live title="You can try again">
          <p>In this browser, at once. If the wrong tries were not yours, tell the owner.</p>
        </Callout>
      )}
      {result.mailed && (
        <Callout className="mt-6" tone="info" live title="Look into your mailbox">
          <p>If a staff member has this address, we have mailed them a link that lets them try again.</p>
        </Callout>
      )}
      {result.locked && (
        <MailLinkOffer intent="unlock" hidden={{ email: result.email }}>
          We can mail you a link that lets you try again right away.
        </MailLinkOffer>
      )}
      {hasOpenedLink && unlock === '' && (
        <Callout className="mt-6" tone="warn">
          <p>This link has been used, is too old or was not made by us. Sign in below.</p>
        </Callout>
      )}
      {hasOpenedLink && unlock !== '' ? <UnlockForm unlock={unlock} /> : <PasswordForm result={result} />}
    </SignInFrame>
  )
}

const UnlockForm = ({ unlock }: { unlock: string }) => (
  <Form method="post" className="mt-6">
    <input type="hidden" name="intent" value="let in" />
    <input type="hidden" name="unlock" value={unlock} />
    <p className="lead">The link we mailed you lets you try again in this browser. It works once.</p>
    <ButtonRow>
      <Button>Go on</Button>
    </ButtonRow>
  </Form>
)

function PasswordForm({ result: { email, fields } }: { result: SignInResult }) {
  const busy = useSubmitting()
  return (
    <Form method="post" className="mt-6">
      <EmailField name="email" label="E-mail" autoComplete="username" defaultValue={email} error={fields.email} />
      <PasswordField name="password" label="Password" autoComplete="current-password" error={fields.password} />
      <ButtonRow>
        <Button busy={busy} busyLabel="One moment…">
          Next
        </Button>
      </ButtonRow>
    </Form>
  )
}
