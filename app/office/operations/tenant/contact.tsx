import { Form, Link } from 'react-router'
import { ADDRESS_MAX, EMAIL_MAX, NAME_MAX } from '../../../../domain/field-lengths.ts'
import { UpdateTenantByStaff } from '../../../../modules/accounts/operations/update-tenant-by-staff.ts'
import { contactFormOf } from '../../../../modules/tenants/views/contact-form.ts'
import { Button, ButtonRow } from '../../../ui/buttons.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { FieldPair } from '../../../ui/fields/field.tsx'
import { StateSelect } from '../../../ui/fields/state-select.tsx'
import { EmailField, PhoneField, TextField, ZipField } from '../../../ui/fields/text.tsx'
import { officeAction } from '../../office-action.ts'
import { OfficePageFrame, Section } from '../../office-page-heading-and-sections.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/contact'

export async function loader(args: Route.LoaderArgs) {
  const { page, tenant, location } = await openTenantPage(args, UpdateTenantByStaff)
  const { values, version } = contactFormOf(tenant)
  return {
    brand: page.site.brand.name,
    back: tenantPath({ location: location.location_code, tenant: tenant.tenant_id }),
    name: `${tenant.first} ${tenant.last}`,
    account: tenant.account_id !== null,
    key: page.site.services.random.uuid(),
    before: version,
    values,
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, tenant, location } = await openTenantPage(args, UpdateTenantByStaff)
  const tenantKey = { location_code: location.location_code, tenant_id: tenant.tenant_id }
  return officeAction(page, args.request, {
    save: {
      operation: UpdateTenantByStaff,
      input: ({ typed }) => ({ ...typed, ...tenantKey }),
      done: ({ email_to_confirm }) => (email_to_confirm ? 'contact-mailed' : 'contact'),
      back: tenantPath({ location: tenantKey.location_code, tenant: tenantKey.tenant_id }),
    },
  })
}

/** Page that changes a tenant's contact data. */
export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, back, name, account, key, before, values } = loaderData
  const fields = actionData?.fields ?? {}
  const submitted: Record<string, string> = actionData?.values ?? {}
  const field = (fieldName: keyof typeof values) => ({
    name: fieldName,
    defaultValue: submitted[fieldName] ?? values[fieldName] ?? '',
    error: fields[fieldName],
  })
  return (
    <OfficePageFrame
      title="Contact data"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={back}>{name}</Link>}
    >
      <Form method="post" className="office-form">
        <ErrorSummary errors={fields} general={['before']}>
          {actionData?.code === 'changed' && (
            <p>
              <a href="?">Load what stands there now</a>
            </p>
          )}
        </ErrorSummary>
        <input type="hidden" name="key" value={actionData?.key ?? key} />
        <input type="hidden" name="before" value={submitted.before ?? before} />
        <FieldPair>
          <TextField {...field('first')} label="First name" maxLength={NAME_MAX} autoComplete="off" />
          <TextField {...field('last')} label="Last name" maxLength={NAME_MAX} autoComplete="off" />
        </FieldPair>
        <TextField {...field('middle')} label="Middle name" maxLength={NAME_MAX} autoComplete="off" optional />
        <EmailField
          {...field('email')}
          label="E-mail"
          maxLength={EMAIL_MAX}
          autoComplete="off"
          hint={
            account
              ? 'A new address counts once the tenant has opened the link that we mail to it.'
              : 'Read it back: there is no online account that would confirm it.'
          }
        />
        <FieldPair>
          <PhoneField {...field('cell_phone')} label="Cell phone" autoComplete="off" optional />
          <PhoneField {...field('home_phone')} label="Home phone" autoComplete="off" optional />
        </FieldPair>
        <PhoneField {...field('work_phone')} label="Work phone" autoComplete="off" optional />
        <TextField {...field('address')} label="Address" maxLength={ADDRESS_MAX} autoComplete="off" />
        <FieldPair>
          <TextField {...field('city')} label="City" maxLength={NAME_MAX} autoComplete="off" />
          <ZipField {...field('zip')} label="ZIP code" autoComplete="off" />
        </FieldPair>
        <StateSelect {...field('state')} label="State" autoComplete="off" />
        <Section title="Company">
          <FieldPair>
            <TextField {...field('company')} label="Company" maxLength={100} autoComplete="off" optional />
            <PhoneField {...field('company_phone')} label="Company phone" autoComplete="off" optional />
          </FieldPair>
          <EmailField {...field('company_email')} label="Company e-mail" autoComplete="off" optional />
          <TextField {...field('company_address')} label="Company address" autoComplete="off" optional />
          <FieldPair>
            <TextField {...field('company_city')} label="Company city" autoComplete="off" optional />
            <ZipField {...field('company_zip')} label="Company ZIP code" autoComplete="off" optional />
          </FieldPair>
          <StateSelect {...field('company_state')} label="Company state" autoComplete="off" optional />
        </Section>
        <ButtonRow>
          <Button>Save</Button>
          <Link to={back} className="btn btn-quiet btn-short">
            Cancel
          </Link>
        </ButtonRow>
      </Form>
    </OfficePageFrame>
  )
}
