import { readForm } from '../request/read-form-fields.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form, redirect } from 'react-router'
import {
  comingSoon,
  createMyOnlineAccount,
  enterCorrectInformation,
  forgotPassword,
  unitAsOnLease,
} from '../../domain/texts/account.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { tenantLookup } from '../../modules/accounts/operations/find-tenant-for-registration.ts'
import { mailRegistrationLink } from '../../modules/accounts/operations/mail-registration-link.ts'
import { loadRegistrantOfInvite } from '../../modules/accounts/views/registration-invite.ts'
import { loadFacilityChoices } from '../../modules/facilities/views/facility-lookups.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { addNextPath } from '../request/same-site-path.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, ButtonRow, LinkButton, SubmitRow } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { CodeField, TextField } from '../ui/fields/text.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { FieldErrors } from '../ui/use-form-checks.ts'
import type { Route } from './+types/register'
import { MailLinkOffer } from './locked-out-mail-link-offer.tsx'
import { readNextPath } from './page-after-sign-in.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Register'

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const facilities = await loadFacilityChoices(site.services)
  const query = new URL(request.url).searchParams
  const next = readNextPath(site, request)
  const requestedCode = query.get('locationCode') ?? ''
  const invite = query.get('invite')
  return {
    brand: site.brand.name,
    facilities,
    links: {
      login: addNextPath('/login', next),
      forgot: addNextPath('/forgot', next),
      register: addNextPath('/register', next),
    },
    chosen: facilities.some((facility) => facility.value === requestedCode) ? requestedCode : '',
    /** Invitation token of the opened mail link; '' when it is expired or invalid, null without a link. */
    invite: invite === null ? null : (await loadRegistrantOfInvite(site.services, invite)) ? invite : '',
  }
}

/**
 * Starts registration from the mailed link; returns false if the link is invalid. Only the form's button calls this,
 * since mail scanners open links.
 */
async function startFromInvite(site: RequestContext, invite = ''): Promise<boolean> {
  const registers = await loadRegistrantOfInvite(site.services, invite)
  if (!registers) return false
  site.session.set({ registers })
  return true
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const values = await readForm(request)
  const registrationPath = addNextPath('/complete-register', readNextPath(site, request))
  const formResponse = (fields: FieldErrors, status: number, others: Partial<Returned> = {}) =>
    data<Returned>({ fields, values, ...others }, { status })
  if (values.intent === 'invite')
    return redirect((await startFromInvite(site, values.invite)) ? registrationPath : '/register?invite=')
  if (values.intent !== undefined && values.intent !== 'mail') return formResponse({ form: formUnreadable }, 400)
  const checked = fieldRules.validate(fieldRules.register, values)
  if (!checked.ok) return formResponse(checked.fields, 400)
  if (values.intent === 'mail') {
    await mailRegistrationLink(site.services, checked.value, (await site.callers()).address)
    return formResponse({}, 200, { mailed: true })
  }
  const outcome = await site.call(tenantLookup, checked.value)
  if (!outcome.ok) {
    return formResponse(errorsOf(outcome), outcome.status, { locked: outcome.code === 'locked' })
  }
  const { message } = outcome.value
  if (!outcome.value.user) return formResponse({ form: message }, message === comingSoon ? 409 : 404)
  if (outcome.value.user.grantOnlineAccess === 'True') return formResponse({}, 200, { hasAccount: true })
  return redirect(registrationPath)
}

interface Returned {
  fields: FieldErrors
  values: Record<string, string>
  hasAccount?: boolean
  locked?: boolean
  mailed?: boolean
}

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  return loaderData.invite && !actionData ? (
    <InviteForm brand={loaderData.brand} invite={loaderData.invite} />
  ) : (
    <LookupForm loaderData={loaderData} actionData={actionData} />
  )
}

function InviteForm({ brand, invite }: { brand: string; invite: string }) {
  return (
    <PageFrame narrow title={title} brand={brand}>
      <h1>{createMyOnlineAccount}</h1>
      <p className="lead mt-2">With it you pay, see your gate code and schedule a move-out online.</p>
      <Form method="post">
        <input type="hidden" name="invite" value={invite} />
        <ButtonRow>
          <Button name="intent" value="invite">
            Go on
          </Button>
        </ButtonRow>
      </Form>
    </PageFrame>
  )
}

function LookupForm({ loaderData, actionData }: Pick<Route.ComponentProps, 'loaderData' | 'actionData'>) {
  const { brand, facilities, chosen, invite, links } = loaderData
  const checks = useFormValidation('register', actionData?.fields)
  const returned = actionData && 'values' in actionData ? actionData : undefined
  const typedValue = (name: string) => returned?.values[name]
  return (
    <PageFrame narrow title={title} brand={brand} wrong={checks.wrong}>
      <BackLink to={links.login} />
      <h1>{title}</h1>
      <ErrorSummary {...checks.summary} />
      <p className="lead mt-2">Tell us which unit you rent, and make your online account.</p>
      {actionData?.fields.form === enterCorrectInformation && <p className="mt-4 max-w-text">{unitAsOnLease}</p>}
      {returned?.hasAccount && (
        <Callout className="mt-6" tone="info" live title="You have an online account already">
          <p>Log in with it, or choose a new password if you have forgotten yours.</p>
          <p className="mt-3 flex flex-wrap gap-3">
            <LinkButton to={links.login}>Log in</LinkButton>
            <LinkButton to={links.forgot} kind="secondary">
              {forgotPassword}
            </LinkButton>
          </p>
        </Callout>
      )}
      {!actionData && invite === '' && (
        <Callout className="mt-6" tone="warn">
          <p>This link is too old or was not made by us. Find your account with the details of your lease.</p>
        </Callout>
      )}
      {returned?.mailed ? (
        <Callout className="mt-6" live title="Look into your mailbox">
          <p>
            If these are the details of a lease without an online account, we have mailed a link to the address on file.
            It opens the registration right away.
          </p>
        </Callout>
      ) : (
        returned?.locked && (
          <MailLinkOffer
            intent="mail"
            hidden={Object.fromEntries(
              ['location_code', 'last_name', 'last_4_digits_of_phone_number', 'unit_number'].map((name) => [
                name,
                returned.values[name] ?? '',
              ]),
            )}
          >
            We can mail a link to the address on file for this unit. It opens the registration right away.
          </MailLinkOffer>
        )
      )}
      {returned?.hasAccount ? (
        <p className="mt-8">
          <a href={links.register}>Look for another unit</a>
        </p>
      ) : (
        <Form method="post" {...checks.form}>
          <SelectField
            {...checks.field('location_code')}
            label="Facility"
            options={facilities}
            empty="Choose a facility"
            defaultValue={typedValue('location_code') ?? chosen}
          />
          <TextField
            {...checks.field('last_name')}
            label="Last name"
            autoComplete="family-name"
            defaultValue={typedValue('last_name')}
          />
          <CodeField
            {...checks.field('last_4_digits_of_phone_number')}
            label="Last 4 digits of your phone number"
            maxLength={4}
            autoComplete="off"
            defaultValue={typedValue('last_4_digits_of_phone_number')}
          />
          <TextField
            {...checks.field('unit_number')}
            label="Unit number"
            hint="It must match exactly as on your lease. Some units have a '0' prefix, such as 0214."
            autoComplete="off"
            width={10}
            defaultValue={typedValue('unit_number')}
          />
          <SubmitRow busyLabel="Looking">Find my account</SubmitRow>
        </Form>
      )}
      <p className="mt-8">
        Not a tenant yet? <a href="/storage-units">Find storage</a>
      </p>
    </PageFrame>
  )
}
