import { Form, Link } from 'react-router'
import { flagNames, tenantFlags } from '../../../../domain/office/tenant-flags.ts'
import { SetTenantFlag } from '../../../../modules/tenants/operations/set-tenant-flag.ts'
import { loadFlagNotes } from '../../../../modules/tenants/views/flag-notes.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Tag } from '../../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { TextField } from '../../../ui/fields/text.tsx'
import { reasonOfForm } from '../../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../../office-action.ts'
import { OfficePageFrame } from '../../office-page-heading-and-sections.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/flags'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, tenant, location } = await openTenantPage(args, SetTenantFlag)
  const tenantKey = { locationCode: location.location_code, tenantId: tenant.tenant_id }
  return {
    brand: page.site.brand.name,
    back: tenantPath({ location: tenantKey.locationCode, tenant: tenantKey.tenantId }),
    name: `${tenant.first} ${tenant.last}`,
    set: await loadFlagNotes(services.db.read, tenantKey),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, tenant, location } = await openTenantPage(args, SetTenantFlag)
  const tenantKey = { location_code: location.location_code, tenant_id: tenant.tenant_id }
  const form = await readOfficeForm(page, args.request)
  const { flag = '', on = '', reason = '' } = form.typed
  return officeAction(page, form, {
    set: {
      operation: SetTenantFlag,
      input: () => ({ ...tenantKey, flag, on, reason }),
      fieldNames: reasonOfForm(flag),
      done: 'flag',
      back: tenantPath({ location: tenantKey.location_code, tenant: tenantKey.tenant_id }),
    },
  })
}

/** Page that sets and removes a tenant's flags, each with a reason. */
export default function Flags({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, back, name, set } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title="Flags"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={back}>{name}</Link>}
    >
      <ErrorSummary errors={fields} general={['flag', 'on']} />
      <ul className="max-w-[56rem]">
        {flagNames.map((flag) => {
          const current = set.find((entry) => entry.flag === flag)
          const { label, hint } = tenantFlags[flag]
          return (
            <li key={flag} className="grid gap-x-8 gap-y-2 border-b border-line py-3 min-[48rem]:grid-cols-[1fr_1fr]">
              <div>
                <h2>
                  {label} {current && <Tag tone="bad">set</Tag>}
                </h2>
                <p className="soft">{hint}</p>
                {current?.note && <p>{current.note}</p>}
              </div>
              <Form method="post" className="flex items-end gap-2">
                <input type="hidden" name="flag" value={flag} />
                <input type="hidden" name="on" value={current ? '0' : '1'} />
                <TextField
                  name="reason"
                  id={reasonOfForm(flag).reason}
                  label={current ? 'Why it comes off' : 'Why'}
                  maxLength={500}
                  autoComplete="off"
                  error={fields[reasonOfForm(flag).reason]}
                />
                <Button kind="secondary" aria-label={`${current ? 'Take off' : 'Set'} ${label.toLowerCase()}`}>
                  {current ? 'Take off' : 'Set'}
                </Button>
              </Form>
            </li>
          )
        })}
      </ul>
    </OfficePageFrame>
  )
}
