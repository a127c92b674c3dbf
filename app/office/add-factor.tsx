import '../styles/form-pages.css'
import '../styles/office.css'
import type { FormEvent } from 'react'
import { data, Form, redirect, useSubmit } from 'react-router'
import { renderSVG } from 'uqr'
import { invitationNeeded, signInOver } from '../../domain/texts/office-refusals.ts'
import { addFactor } from '../../modules/staff/operations/add-factor.ts'
import { loadTotpOffer } from '../../modules/staff/views/factor-enrollment.ts'
import { loadFactorRequirement } from '../../modules/staff/views/second-factor-kinds.ts'
import { formatDevice } from '../account/device-name.ts'
import { contextOf } from '../request/context.ts'
import { pageUrl } from '../request/page-url-of-data-request.ts'
import { readForm } from '../request/read-form-fields.ts'
import { Button, ButtonRow, LinkButton, useHydrated } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { pageTitle } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/add-factor'
import { loadStoredFormOfPage, storeFormAndAskSecondFactor } from './form-awaiting-second-factor.ts'
import { officeRelyingParty } from './open-office-page.ts'
import { nextPage, withNext } from './page-after-sign-in.ts'
import { requireSigningInStaff } from './require-staff-after-password.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { usePasskeyPrompt } from './use-passkey-prompt.ts'

export const handle = { office: true }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const url = new URL(request.url)
  const next = nextPage(url.searchParams.get('next'))
  const { staffId, token, isSignedIn } = await requireSigningInStaff(site)
  const isFirst = !isSignedIn
  const { allowed, has, isInvitationNeeded } = await loadFactorRequirement(site.services, staffId)
  if (isFirst && has.length > 0) throw redirect(withNext('/office/second-factor', next))
  const callers = await site.callers()
  const mayUseApp = allowed.includes('totp')
  const isAppRequested = mayUseApp && url.searchParams.get('kind') === 'app'
  const offer = isAppRequested ? await loadTotpOffer(site.services, site.brand.name, token, callers) : null
  if (offer && !offer.ok) {
    if (offer.code === 'factor_needed') throw redirect(withNext('/office/second-factor', pathOfPage(request)))
    throw redirect(withNext('/office/sign-in', next))
  }
  const { staff } = callers
  const storedForm = staff && (await loadStoredFormOfPage({ site, staff, url: pageUrl(request) }))
  return {
    brand: site.brand.name,
    isFirst,
    isInvitationNeeded: isFirst && isInvitationNeeded,
    takesApp: mayUseApp,
    hasStoredForm: storedForm !== undefined && storedForm !== null,
    device: storedForm?.values.name ?? formatDevice(callers.agent),
    app: offer?.ok ? { secret: offer.secret, picture: renderSVG(offer.address, { border: 1 }) } : null,
    next,
  }
}

const pathOfPage = (request: Request): string => {
  const { pathname, search } = pageUrl(request)
  return nextPage(pathname + search)
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const { token } = await requireSigningInStaff(site)
  const form = await readForm(request)
  const name = (form.name ?? '').trim().slice(0, 40) || 'My device'
  const factorInput =
    form.intent === 'totp'
      ? { kind: 'totp' as const, code: (form.code ?? '').slice(0, 20), name }
      : { kind: 'passkey' as const, answer: form.answer ?? '', name }
  const callers = await site.callers()
  const outcome = await addFactor(
    site.services,
    officeRelyingParty(site),
    { token, device: site.office.device },
    factorInput,
    callers,
  )
  if (!outcome.ok) {
    const { staff } = callers
    // Only the device's name is stored: the page opens again with a new secret, for which this code is wrong.
    if (outcome.code === 'factor_needed' && staff)
      throw await storeFormAndAskSecondFactor({ site, staff, url: pageUrl(request) }, [['name', name]])
    const message = outcome.status === 401 ? signInOver : outcome.message
    return respond(outcome.fields ?? { form: message }, [], outcome.status)
  }
  site.office.set(outcome.token)
  return respond({}, outcome.recoveryCodes)
}

const respond = (fields: FieldErrors, codes: readonly string[], status = 200) =>
  data({ fields, codes: [...codes] }, { status })

/** Page that adds a second factor: the first while signing in, later ones from the staff member's own page. */
export default function AddFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, isFirst, isInvitationNeeded, takesApp: mayUseApp, hasStoredForm, device, app, next } = loaderData
  const fields: FieldErrors = actionData?.fields ?? {}
  const isAdded = actionData !== undefined && Object.keys(fields).length === 0
  if (isAdded) return <FactorAdded brand={brand} codes={actionData.codes} next={next} />
  if (isInvitationNeeded) return <InvitationNeeded brand={brand} />
  const title = app ? 'Add an authenticator app' : 'Add a passkey'
  return (
    <SignInFrame brand={brand}>
      <title>{pageTitle(title, brand, Object.keys(fields).length > 0)}</title>
      <h1>{title}</h1>
      <p className="soft">
        {app
          ? `Scan the picture with the app, then enter the code it shows.${hasStoredForm ? ' It is a new picture: the one before does not count.' : ''}`
          : 'Sign in with fingerprint, face or screen lock of this device, or with a security key.'}
      </p>
      <ErrorSummary errors={fields} />
      {app ? <AppForm app={app} device={device} fields={fields} /> : <PasskeyForm device={device} />}
      <ul className="mt-6">
        {mayUseApp && (
          <li>
            <a href={withNext(app ? '/office/add-factor' : '/office/add-factor?kind=app', next)}>
              {app ? 'Add a passkey instead' : 'Use an authenticator app instead'}
            </a>
          </li>
        )}
        {!isFirst && (
          <li>
            <a href="/office/me">Cancel</a>
          </li>
        )}
      </ul>
    </SignInFrame>
  )
}

const InvitationNeeded = ({ brand }: { brand: string }) => (
  <SignInFrame brand={brand}>
    <title>{pageTitle('A passkey is needed', brand)}</title>
    <h1>A passkey is needed</h1>
    <Callout className="mt-6" tone="warn">
      <p>{invitationNeeded}</p>
    </Callout>
    <p className="mt-6">
      <a href="/office/sign-out">Sign in with another account</a>
    </p>
  </SignInFrame>
)

function AppForm({
  app,
  device,
  fields,
}: {
  app: { secret: string; picture: string }
  device: string
  fields: FieldErrors
}) {
  const busy = useSubmitting()
  return (
    <Form method="post" className="mt-6">
      <input type="hidden" name="intent" value="totp" />
      <div
        className="[&_svg]:size-48 [&_svg]:bg-white"
        role="img"
        aria-label="QR code for the app"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the server draws this SVG, which contains no text
        dangerouslySetInnerHTML={{ __html: app.picture }}
      />
      <p className="small mt-4">
        Or type this key: <code className="wrap-anywhere">{app.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <TextField name="name" label="Name" hint="So that you know it again." defaultValue={device} maxLength={40} />
      <TextField
        name="code"
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        width={10}
        error={fields.code}
      />
      <ButtonRow>
        <Button busy={busy}>Add the app</Button>
      </ButtonRow>
    </Form>
  )
}

function PasskeyForm({ device }: { device: string }) {
  const hydrated = useHydrated()
  const submit = useSubmit()
  const { busy, message, prompt } = usePasskeyPrompt('No passkey was made. Try again.')
  const createPasskey = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    await prompt(async ({ createPasskeyAt }) => {
      const answer = await createPasskeyAt('/office/passkey-options', { intent: 'add' })
      await submit({ intent: 'passkey', name, answer }, { method: 'post' })
    })
  }
  return (
    <Form method="post" className="mt-6" onSubmit={createPasskey}>
      <TextField name="name" label="Name" hint="So that you know it again." defaultValue={device} maxLength={40} />
      <ButtonRow>
        <Button busy={busy} disabled={!hydrated}>
          Create passkey
        </Button>
      </ButtonRow>
      <p className="small soft" role="status">
        {hydrated ? message : 'A passkey needs scripts in this browser.'}
      </p>
    </Form>
  )
}

function FactorAdded({ brand, codes, next }: { brand: string; codes: string[]; next: string }) {
  return (
    <SignInFrame brand={brand}>
      <title>{pageTitle('Second factor added', brand)}</title>
      <h1>Second factor added</h1>
      {codes.length > 0 && (
        <>
          <Callout tone="warn" title="Keep these recovery codes">
            <p>Each lets you in once if you lose your device. They are shown now and never again.</p>
          </Callout>
          <ul className="office-codes mt-6">
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <ButtonRow>
        <LinkButton href={next}>Go on</LinkButton>
      </ButtonRow>
    </SignInFrame>
  )
}
