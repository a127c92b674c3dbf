import { readForm } from '../request/read-form-fields.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form, redirect } from 'react-router'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import {
  accountExistsAskPassword,
  emailsMustMatch,
  forgotPassword,
  loginFailed,
  passwordRequired,
} from '../../domain/texts/account.ts'
import { UpdateOnlineAccessPassword } from '../../modules/accounts/operations/create-account-or-change-password.ts'
import { GetSecurityQuestions } from '../../modules/accounts/operations/get-security-questions.ts'
import { DEFAULT_SECURITY_QUESTION_ID } from '../../modules/accounts/rules/default-security-question.ts'
import {
  loadLookedUpTenant,
  loadMovedInTenant,
  type RegistrationAccess,
} from '../../modules/accounts/views/may-tenant-register.ts'
import { GetTenantInfo } from '../../modules/tenants/operations/get-tenant-info.ts'
import type { Outcome } from '../../platform/operations/outcome.ts'
import { loadDraftOfSession, loadFactsOfDraft } from '../open-journey-step.ts'
import { contextOf, type RequestContext, redirectWithAlert } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { addNextPath } from '../request/same-site-path.ts'
import { type FieldRules, useFieldRules, validateFields } from '../request/use-form-rules.ts'
import { BackLink } from '../ui/back-link.tsx'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField, PasswordField, TextField } from '../ui/fields/text.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { type FieldErrors, useFormChecks } from '../ui/use-form-checks.ts'
import type { Route } from './+types/complete-register'
import { NewPasswordFields } from './new-password-fields.tsx'
import { readNextPath } from './page-after-sign-in.ts'
import { enterAccount } from './start-and-end-session.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Create your online account'
const completed = '/rental-completed'

/** Tenant for whom the visitor makes an online account. */
interface Tenant {
  locationCode: string
  tenantId: number
  unitNumber: string
  phone: string
  /**
   * E-mail address, masked unless it was typed in this session; '' when the profile has none, or for an existing tenant,
   * who cannot register here.
   */
  email: string
  may: RegistrationAccess
  /** Whether the tenant is that of this session's completed move-in, and was not looked up. */
  isAfterMoveIn: boolean
}

async function loadRegistrant(site: RequestContext): Promise<Tenant | null> {
  const { registrant } = await site.callers()
  if (!registrant) return null
  const tenant = await loadLookedUpTenant(site.services, registrant)
  if (tenant === 'coming_soon') return redirectWithAlert(site, 'comingSoon', '/login')
  return tenant && { ...registrant, ...tenant, isAfterMoveIn: false }
}

/**
 * Loads the tenant to register: found by the details entered on /register or by a mailed invitation, or of the move-in
 * that this session has just completed.
 * @throws a redirect: to /login before the facility's takeover; to /register if no tenant was found and either the
 *   session has no draft or the address has `locationCode`; and those of `loadTenantOfMoveIn`
 */
async function loadTenantToRegister(site: RequestContext, request: Request): Promise<Tenant> {
  const tenant = await loadRegistrant(site)
  if (tenant) return tenant
  const code = new URL(request.url).searchParams.get('locationCode')
  if (code !== null || !site.session.ids.draftId)
    throw redirect(
      addNextPath(
        code ? `/register?locationCode=${encodeURIComponent(code)}` : '/register',
        readNextPath(site, request),
      ),
    )
  return loadTenantOfMoveIn(site)
}

/**
 * Loads the tenant whom this session has just moved in.
 * @throws a redirect without a completed move-in or its tenant, or when a tenant is signed in
 */
async function loadTenantOfMoveIn(site: RequestContext): Promise<Tenant> {
  if ((await site.callers()).tenant) throw redirect(completed)
  const draft = await loadDraftOfSession(site)
  const facts = draft && (await loadFactsOfDraft(site, draft))
  const { reservation } = facts ?? {}
  if (!draft || !facts?.visitor.rented || !reservation) return redirectWithAlert(site, 'invalidSession', '/')
  const key = { locationCode: draft.locationCode, tenantId: reservation.tenant_id }
  const { phone, may } = await loadMovedInTenant(site.services, key, draft.existingTenant, facts.facility.location)
  const tenant = { ...key, unitNumber: reservation.unit_number, phone, email: '', isAfterMoveIn: true }
  if (may === 'existing_tenant') return { ...tenant, may }
  const info = await site.call(GetTenantInfo, { location_code: key.locationCode, tenant_id: key.tenantId })
  if (!info.ok || may === null) return redirectWithAlert(site, 'invalidSession', '/')
  return {
    ...tenant,
    // An address typed in this session is shown whole; one on file is masked.
    email: info.value.email && ((draft.proof === 'own' && draft.answers.contact?.email) || info.value.email),
    may,
  }
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const tenant = await loadTenantToRegister(site, request)
  const questions = await site.call(GetSecurityQuestions, {})
  return {
    brand: site.brand.name,
    back: tenant.isAfterMoveIn ? completed : addNextPath('/register', readNextPath(site, request)),
    forgot: addNextPath('/forgot', readNextPath(site, request)),
    may: tenant.may,
    email: tenant.email,
    unitNumber: tenant.unitNumber,
    phone: tenant.phone,
    questions: questions.ok
      ? questions.value.SecurityQuestion.map(({ id, text }) => ({ value: String(id), label: text }))
      : [],
  }
}

/**
 * Validates the registration form.
 * A new e-mail address is typed twice, because it becomes the user name and receives all mail.
 * @param hasEmail true when the address is on file, so that the form does not ask for it
 */
function validateRegistration(rules: FieldRules, form: Record<string, string>, hasEmail: boolean): FieldErrors {
  const { email, ...others } = validateFields(rules, 'accountCreation', form)
  if (hasEmail) return others
  if (email !== undefined) return { email, ...others }
  const confirmed = emailKey(form.email ?? '') === emailKey(form.confirm_email ?? '')
  return confirmed ? others : { confirm_email: emailsMustMatch, ...others }
}

/**
 * Returns the errors to show when no account was created or joined.
 * @param isJoining true when the password was for an existing account
 * @returns `needsPassword`: true when the next form asks for the existing account's password
 */
function errorsOfRefusal(
  outcome: Outcome<{ message: string }>,
  isJoining: boolean,
): { fields: FieldErrors; status: number; needsPassword: boolean } {
  const wrongPassword = { fields: { password: loginFailed }, status: 403, needsPassword: true }
  // A password of an invalid length cannot be the existing account's.
  if (!outcome.ok && isJoining && outcome.fields) return wrongPassword
  if (!outcome.ok) return { fields: errorsOf(outcome), status: outcome.status, needsPassword: isJoining }
  const { message } = outcome.value
  if (message !== accountExistsAskPassword) return { fields: { form: message }, status: 409, needsPassword: isJoining }
  // On the first submission there is no error yet: the form asks for the existing account's password.
  return isJoining ? wrongPassword : { fields: {}, status: 409, needsPassword: true }
}

export async function action({ request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const tenant = await loadTenantToRegister(site, request)
  const next = readNextPath(site, request)
  if (tenant.may !== 'register') return redirect(addNextPath('/complete-register', next))
  const values = await readForm(request)
  const isJoining = values.joins === '1'
  const formResponse = (fields: FieldErrors, status: number, needsPassword = isJoining) => {
    const { password: _, confirm_password: __, ...shownValues } = values
    return data({ fields, values: shownValues, joins: needsPassword ? accountExistsAskPassword : '' }, { status })
  }
  const fields = isJoining ? requirePassword(values) : validateRegistration(fieldRules, values, tenant.email !== '')
  if (Object.keys(fields).length > 0) return formResponse(fields, 400)
  const outcome = await site.call(UpdateOnlineAccessPassword, {
    location_code: tenant.locationCode,
    tenant_id: tenant.tenantId,
    password: values.password,
    current_password: isJoining ? values.password : undefined,
    email: tenant.email === '' ? values.email : undefined,
    question_id: values.question_id,
    security_answer: values.security_answer,
  })
  if (!outcome.ok || outcome.value.result !== 'success') {
    const { fields, status, needsPassword } = errorsOfRefusal(outcome, isJoining)
    return formResponse(fields, status, needsPassword)
  }
  const { isAfterMoveIn } = tenant
  // After a move-in the session keeps its completed rental, which is this tenant's.
  await enterAccount(site, outcome.value.token, isAfterMoveIn ? { draftId: site.session.ids.draftId } : {})
  return redirect(isAfterMoveIn ? `${completed}?account=created` : next || '/my-units')
}

const requirePassword = (form: Record<string, string>): FieldErrors =>
  form.password ? {} : { password: passwordRequired }

type Page = Route.ComponentProps['loaderData']
interface Returned {
  fields: FieldErrors
  values?: Record<string, string>
}

export default function CompleteRegister({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, may } = loaderData
  return (
    <PageFrame narrow>
      <BackLink to={loaderData.back} />
      {may === 'register' ? (
        actionData && 'joins' in actionData && actionData.joins ? (
          <JoinAccount {...loaderData} returned={actionData} sentence={actionData.joins} />
        ) : (
          <RegistrationForm {...loaderData} returned={actionData} />
        )
      ) : (
        <>
          <title>{pageTitle(title, brand)}</title>
          <h1>{may === 'has_account' ? 'You have an online account' : title}</h1>
          <CannotRegister may={may} phone={loaderData.phone} />
          <ButtonRow>
            <LinkButton to={loaderData.back}>Back</LinkButton>
          </ButtonRow>
        </>
      )}
    </PageFrame>
  )
}

function CannotRegister({ may, phone }: { may: 'existing_tenant' | 'has_account'; phone: string }) {
  const phoneLink = <PhoneLink phone={phone} />
  return may === 'has_account' ? (
    <Callout className="mt-6">
      <p>It was made for this rental already. If that was not you, call us at {phoneLink}.</p>
    </Callout>
  ) : (
    <Callout className="mt-6" title="The link goes to the address on file">
      <p>
        You rented with a tenant account that we already had. So that nobody else can take it over, its online account
        is made from the link in the e-mail that we send to the address on file, not from here.
      </p>
      <p>No e-mail, or no longer your address? Call us at {phoneLink}.</p>
    </Callout>
  )
}

/** Form that adds the unit to an existing account with the same e-mail address, by that account's password. */
function JoinAccount({
  brand,
  unitNumber,
  sentence,
  forgot,
  returned,
}: Pick<Page, 'brand' | 'forgot' | 'unitNumber'> & { sentence: string; returned: Returned }) {
  const heading = `Add unit ${unitNumber} to your online account`
  return (
    <>
      <title>{pageTitle(heading, brand, Object.keys(returned.fields).length > 0)}</title>
      <h1>{heading}</h1>
      <ErrorSummary errors={returned.fields} />
      <p className="lead mt-2">{sentence}</p>
      <Form method="post">
        <input type="hidden" name="joins" value="1" />
        <input type="hidden" name="email" value={returned.values?.email ?? ''} />
        <PasswordField
          name="password"
          label="Password of your online account"
          autoComplete="current-password"
          error={returned.fields.password}
        />
        <ButtonRow>
          <SubmitButton busyLabel="One moment…">Add this unit</SubmitButton>
          <LinkButton kind="secondary" to={forgot}>
            {forgotPassword}
          </LinkButton>
        </ButtonRow>
      </Form>
    </>
  )
}

function RegistrationForm({
  brand,
  email,
  unitNumber,
  questions,
  back,
  returned,
}: Pick<Page, 'brand' | 'email' | 'unitNumber' | 'questions' | 'back'> & { returned: Returned | undefined }) {
  const rules = useFieldRules()
  const checks = useFormChecks(rules && ((form) => validateRegistration(rules, form, email !== '')), returned?.fields)
  const typedValue = (name: string) => returned?.values?.[name]
  return (
    <>
      <title>{pageTitle(title, brand, checks.wrong)}</title>
      <h1>{title}</h1>
      <ErrorSummary {...checks.summary} />
      <p className="lead mt-2">
        With it you see your gate code and your payments, pay, and plan a move-out, for unit {unitNumber} and any other
        you rent here.
      </p>
      <Form method="post" {...checks.form}>
        {email === '' ? (
          <>
            <EmailField
              {...checks.field('email')}
              label="Email"
              hint="You sign in with it."
              autoComplete="username"
              defaultValue={typedValue('email')}
            />
            <EmailField
              {...checks.field('confirm_email')}
              label="Confirm email"
              autoComplete="off"
              defaultValue={typedValue('confirm_email')}
            />
          </>
        ) : (
          <div className="field">
            <p className="legend">Email</p>
            <p className="hint">You sign in with it.</p>
            <p className="break-all">{email}</p>
          </div>
        )}
        <NewPasswordFields checks={checks} label="Password" />
        <SelectField
          {...checks.field('question_id')}
          label="Security question"
          options={questions}
          empty={null}
          defaultValue={typedValue('question_id') ?? String(DEFAULT_SECURITY_QUESTION_ID)}
        />
        <TextField
          {...checks.field('security_answer')}
          label="Security answer"
          autoComplete="off"
          maxLength={100}
          defaultValue={typedValue('security_answer')}
        />
        <ButtonRow>
          <SubmitButton busyLabel="One moment…">Create my account</SubmitButton>
          <LinkButton kind="secondary" to={back}>
            Not now
          </LinkButton>
        </ButtonRow>
      </Form>
    </>
  )
}
