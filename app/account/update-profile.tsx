import { isKeyOf, keysOf, recordOf } from '../../domain/typed-keys.ts'
import { readForm } from '../request/read-form-fields.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form } from 'react-router'
import { ADDRESS_MAX, EMAIL_MAX, NAME_MAX } from '../../domain/field-lengths.ts'
import { formatPhone } from '../../domain/phone.ts'
import { type IsoDate, parseUs } from '../../domain/plain-date.ts'
import { unsentFilledIn } from '../../domain/texts/account.ts'
import { invalidDate } from '../../domain/texts/field-errors.ts'
import { UpdateTenantInfo } from '../../modules/accounts/operations/update-tenant-info.ts'
import { myProfile } from '../../modules/leases/texts/portal.ts'
import { GetTenantInfo } from '../../modules/tenants/operations/get-tenant-info.ts'
import { openPortalPage, tenantKey } from '../portal/open-portal-page.ts'
import { PortalFrame } from '../portal/portal-frame.tsx'
import { redirectWithAlert } from '../request/context.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { useRestoredForm } from '../request/unsent-form-storage.ts'
import { type FieldRules, useFieldRules, validateFields } from '../request/use-form-rules.ts'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { FieldPair } from '../ui/fields/field.tsx'
import { StateSelect } from '../ui/fields/state-select.tsx'
import { DateField, EmailField, PasswordField, PhoneField, TextField, ZipField } from '../ui/fields/text.tsx'
import { PrivacyNote } from '../ui/privacy-note.tsx'
import { type FieldErrors, type FormValues, useFormChecks } from '../ui/use-form-checks.ts'
import type { Route } from './+types/update-profile'

export { submitOrStore as clientAction } from '../request/unsent-form-storage.ts'

const profilePath = '/account-profile'
const title = 'Edit your profile'

const labels = {
  first: 'first name',
  middle: 'middle name',
  last: 'last name',
  email: 'email',
  cell_phone: 'cell phone',
  home_phone: 'home phone',
  work_phone: 'work phone',
  birthday: 'date of birth',
  address: 'address',
  city: 'city',
  state: 'state',
  zip: 'zip code',
  company: 'company',
  company_phone: 'company phone',
  company_email: 'company email',
  company_address: 'company address',
  company_city: 'company city',
  company_state: 'company state',
  company_zip: 'company zip code',
} as const
type FieldName = keyof typeof labels
const names = keysOf(labels)

const formatValue = (name: FieldName, value: string) => (name.endsWith('_phone') ? formatPhone(value) : value)

export async function loader(args: Route.LoaderArgs) {
  const { site, tenantInView, chrome, facts } = await openPortalPage(args)
  const info = await site.call(GetTenantInfo, {
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
  })
  if (!info.ok) return redirectWithAlert(site, 'sessionTenantMissing', '/')
  const { date_of_birth, ...tenant } = info.value
  return {
    // The notice about missing fields leads here, so this page leaves it out.
    chrome: { ...chrome, missing: [] },
    at: tenantKey(tenantInView),
    today: facts.today,
    values: recordOf(names, (name) => (name === 'birthday' ? date_of_birth : formatValue(name, tenant[name]))),
  }
}

/**
 * Validates the profile form.
 * @param today facility's date; a birth date may not be later
 */
function validateProfile(rules: FieldRules, form: FormValues, today: IsoDate): FieldErrors {
  const faults = validateFields(rules, 'profile', form)
  if ((parseUs(form.birthday ?? '') ?? '') > today) faults.birthday ??= invalidDate
  // The error summary lists errors in this order, which is that of the form.
  return Object.fromEntries(names.flatMap((name) => (faults[name] ? [[name, faults[name]]] : [])))
}

export async function action(args: Route.ActionArgs) {
  const { site, tenantInView, facts } = await openPortalPage(args)
  // The form's address names its tenant. If that tenant is not one of the account's, another one is in view, and saving
  // would overwrite the wrong profile.
  if (tenantKey(tenantInView) !== new URL(args.request.url).searchParams.get('at'))
    return redirectWithAlert(site, 'changedElsewhere', '/update-profile')
  const { current_password = '', ...values } = await readForm(args.request)
  const fields = validateProfile(fieldRules, values, facts.today)
  if (Object.keys(fields).length > 0) return data({ fields, values }, { status: 400 })
  const outcome = await site.call(UpdateTenantInfo, {
    ...Object.fromEntries(names.map((name) => [name, values[name] ?? ''])),
    current_password,
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
  })
  if (!outcome.ok) return data({ fields: errorsOf(outcome), values }, { status: outcome.status })
  return redirectWithAlert(site, 'profileUpdated', profilePath)
}

export default function UpdateProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, at, today, values } = loaderData
  const rules = useFieldRules()
  const checks = useFormChecks(rules && ((form) => validateProfile(rules, form, today)), actionData?.fields)
  const unsent = useRestoredForm(checks.form.ref, `/update-profile ${at}`)
  const submitted: FormValues | undefined = actionData && 'values' in actionData ? actionData.values : undefined
  const field = (name: FieldName) => ({ ...checks.field(name), defaultValue: submitted?.[name] ?? values[name] })
  const invalidLabels = Object.keys(checks.missing ?? {}).flatMap((name) => (isKeyOf(labels, name) ? labels[name] : []))
  return (
    <PortalFrame chrome={chrome} title={title} back={profilePath} backLabel={myProfile} wrong={checks.wrong}>
      <Form
        method="post"
        action={`/update-profile?at=${encodeURIComponent(at)}`}
        className="mt-6 max-w-text"
        {...checks.form}
        {...unsent.attributes}
      >
        <ErrorSummary {...checks.summary} />
        {unsent.filled && <Callout live>{unsentFilledIn}</Callout>}
        <Group title="Contact info">
          <FieldPair>
            <TextField {...field('first')} label="First name" autoComplete="given-name" maxLength={NAME_MAX} />
            <TextField
              {...field('middle')}
              label="Middle name"
              autoComplete="additional-name"
              maxLength={NAME_MAX}
              optional
            />
          </FieldPair>
          <TextField {...field('last')} label="Last name" autoComplete="family-name" maxLength={NAME_MAX} />
          <EmailField
            {...field('email')}
            label="Email"
            hint="A new address counts once you have opened the link that we send to it."
            maxLength={EMAIL_MAX}
          />
          <PasswordField
            {...checks.field('current_password')}
            label="Current password"
            hint="Needed for a new email address only."
            autoComplete="current-password"
            optional
          />
          <FieldPair>
            <PhoneField {...field('cell_phone')} label="Cell phone" optional />
            <PhoneField {...field('home_phone')} label="Home phone" autoComplete="home tel-national" optional />
          </FieldPair>
          <FieldPair>
            <PhoneField {...field('work_phone')} label="Work phone" autoComplete="work tel-national" optional />
            <DateField {...field('birthday')} label="Date of birth" autoComplete="bday" optional />
          </FieldPair>
        </Group>
        <Group title="Home address">
          <TextField {...field('address')} label="Address" autoComplete="street-address" maxLength={ADDRESS_MAX} />
          <TextField {...field('city')} label="City" autoComplete="address-level2" maxLength={NAME_MAX} />
          <FieldPair>
            <StateSelect {...field('state')} label="State" />
            <ZipField {...field('zip')} label="Zip code" />
          </FieldPair>
        </Group>
        <Group title="Company">
          <TextField {...field('company')} label="Company" autoComplete="organization" maxLength={100} optional />
          <FieldPair>
            <PhoneField {...field('company_phone')} label="Company phone" autoComplete="off" optional />
            <EmailField {...field('company_email')} label="Company email" autoComplete="off" optional />
          </FieldPair>
          <TextField
            {...field('company_address')}
            label="Company address"
            autoComplete="off"
            maxLength={ADDRESS_MAX}
            optional
          />
          <TextField {...field('company_city')} label="Company city" autoComplete="off" maxLength={NAME_MAX} optional />
          <FieldPair>
            <StateSelect {...field('company_state')} label="Company state" autoComplete="off" empty="None" optional />
            <ZipField {...field('company_zip')} label="Company zip code" autoComplete="off" optional />
          </FieldPair>
        </Group>
        <PrivacyNote asked="your details" />
        <ButtonRow>
          <SubmitButton
            busyLabel="Saving…"
            unavailable={invalidLabels.length > 0 ? `Missing or not valid: ${invalidLabels.join(', ')}.` : null}
          >
            Save
          </SubmitButton>
          <LinkButton kind="secondary" to={profilePath}>
            Cancel
          </LinkButton>
        </ButtonRow>
      </Form>
    </PortalFrame>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="min-w-0 mt-8">
      <legend className="legend text-lead">{title}</legend>
      {children}
    </fieldset>
  )
}
