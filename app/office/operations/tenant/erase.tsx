import { Link } from 'react-router'
import { formatUs } from '../../../../domain/plain-date.ts'
import { officeNotFound } from '../../../../domain/texts/office-refusals.ts'
import { EraseTenant } from '../../../../modules/privacy/operations/erase-tenant.ts'
import { notYetErasable } from '../../../../modules/privacy/texts/tenant-export-and-erasure-refusals.ts'
import { loadErasurePreview } from '../../../../modules/privacy/views/erasure-preview.ts'
import { findOpenApproval } from '../../../../modules/staff/views/single-approval-request.ts'
import { Callout } from '../../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { TextField } from '../../../ui/fields/text.tsx'
import { loadStoredFormOfPage } from '../../form-awaiting-second-factor.ts'
import { officeAction } from '../../office-action.ts'
import { OfficePageFrame, Section } from '../../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../../office-table.tsx'
import { OperationForm } from '../../one-button-form.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/erase'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, tenant, location } = await openTenantPage(args, EraseTenant)
  const tenantKey = { locationCode: location.location_code, tenantId: tenant.tenant_id }
  const approvalKey = { location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId }
  const [preview, request] = await Promise.all([
    loadErasurePreview(services, tenantKey),
    findOpenApproval(services, page.staff, { ...approvalKey, operation: EraseTenant.name }),
  ])
  if (!preview) throw new Response(officeNotFound, { status: 404 })
  return {
    brand: page.site.brand.name,
    facility: location.name,
    erased: preview.erased,
    guards: preview.blockers,
    name: `${tenant.first} ${tenant.last}`,
    back: tenantPath({ location: tenantKey.locationCode, tenant: tenantKey.tenantId }),
    retained: preview.retained.map((row) => ({ ...row, until: row.until === null ? '' : formatUs(row.until) })),
    account: preview.keepsAccount,
    request: request && `/office/queue/${request.approvalId}`,
    madeFrom: preview.version,
    key: services.random.uuid(),
    kept: (await loadStoredFormOfPage(page))?.values.reason,
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, tenant, location } = await openTenantPage(args, EraseTenant)
  const tenantKey = { location_code: location.location_code, tenant_id: tenant.tenant_id }
  return officeAction(page, args.request, {
    erase: {
      operation: EraseTenant,
      input: ({ typed }) => ({ ...tenantKey, reason: typed.reason ?? '', made_from: typed.made_from ?? '' }),
      done: 'asked',
      back: tenantPath({ location: tenantKey.location_code, tenant: tenantKey.tenant_id }),
    },
  })
}

/** Page that shows what an erasure deletes and keeps, and requests the erasure. */
export default function Erase({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, facility, back, erased, retained, guards, request } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title="Erase the tenant"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={back}>{name}</Link> · {facility}
        </>
      }
    >
      <ErrorSummary errors={fields} general={['form', 'made_from']} />
      {guards.length > 0 ? (
        <Callout tone="warn" title={notYetErasable} className="mt-3">
          <ul>
            {guards.map((guard) => (
              <li key={guard}>{guard}</li>
            ))}
          </ul>
        </Callout>
      ) : request !== null ? (
        <Callout title="Asked for" className="mt-3">
          <p>
            <Link to={request}>The request</Link> waits for a second person.
          </p>
        </Callout>
      ) : (
        <OperationForm
          formKey={actionData?.key ?? loaderData.key}
          hidden={{ made_from: loaderData.madeFrom }}
          intent="erase"
          button="Ask for the erasure"
          kind="danger"
        >
          <p>
            It cannot be undone. A second person decides. Export first what the tenant should have. Backups hold the
            data until they are deleted in their turn.
          </p>
          <TextField
            name="reason"
            label="Why"
            hint="It stays in the audit: leave the name out."
            maxLength={500}
            autoComplete="off"
            defaultValue={actionData?.values.reason ?? loaderData.kept}
            error={fields.reason}
          />
        </OperationForm>
      )}
      <Section title="What goes">
        <OfficeTable
          caption="What an erasure takes"
          rows={erased}
          rowKey={(row) => row.name}
          empty="Nothing personal is held."
          columns={[
            { label: 'What', cell: (row) => row.name },
            { label: 'Rows', right: true, cell: (row) => row.rows },
          ]}
        />
        <p className="soft">Mails that wait are not sent, and sign-ins end at once.</p>
        {loaderData.account && <p>The online account stays: the person has another tenancy with it.</p>}
      </Section>
      <Section title="What stays">
        <OfficeTable
          caption="What an erasure leaves"
          rows={retained}
          rowKey={(row) => row.name}
          empty="Nothing."
          columns={[
            { label: 'What', cell: (row) => row.name },
            { label: 'Why', cell: (row) => row.why },
            { label: 'Until', cell: (row) => row.until || 'always' },
            { label: 'Rows', right: true, wide: true, cell: (row) => row.rows },
          ]}
        />
        <p className="soft">The audit and its requests stay for seven years: they show who did what.</p>
      </Section>
    </OfficePageFrame>
  )
}
