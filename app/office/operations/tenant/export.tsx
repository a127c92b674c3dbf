import { Form, Link } from 'react-router'
import { ExportTenant } from '../../../../modules/privacy/operations/export-tenant.ts'
import { exportsSpent } from '../../../../modules/privacy/texts/tenant-export-and-erasure-refusals.ts'
import { loadExportPreview } from '../../../../modules/privacy/views/export-preview.ts'
import { Button, ButtonRow, LinkButton } from '../../../ui/buttons.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { OfficePageFrame, Section } from '../../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../../office-table.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/export'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, tenant, location } = await openTenantPage(args, ExportTenant)
  const tenantKey = { locationCode: location.location_code, tenantId: tenant.tenant_id }
  const { held, exportsPerDay } = await loadExportPreview(services, tenantKey)
  return {
    brand: page.site.brand.name,
    name: `${tenant.first} ${tenant.last}`,
    facility: location.name,
    back: tenantPath({ location: tenantKey.locationCode, tenant: tenantKey.tenantId }),
    held,
    refused: page.url.searchParams.get('refused') === 'many' ? exportsSpent(exportsPerDay) : '',
  }
}

/** Page that lists what a tenant's archive would contain, with the button that makes the archive. */
export default function Export({ loaderData }: Route.ComponentProps) {
  const { brand, name, facility, back, held, refused } = loaderData
  return (
    <OfficePageFrame
      title="Export everything held"
      brand={brand}
      failed={refused !== ''}
      lead={
        <>
          <Link to={back}>{name}</Link> · {facility}
        </>
      }
    >
      <ErrorSummary errors={refused === '' ? {} : { form: refused }} general={['form']} />
      <p className="mt-3">
        One ZIP file for the tenant: these lists, the signed leases, the proofs of insurance, the receipts, and the
        mails and texts that were sent. It holds the license and what is known of bank accounts. Give it to the tenant
        alone. That you made it stands in the audit.
      </p>
      <Form method="post" action={`${back}/export/archive`} reloadDocument className="office-form">
        <ButtonRow>
          <Button data-key="x">Make the archive</Button>
          <LinkButton kind="secondary" to={back}>
            Back
          </LinkButton>
        </ButtonRow>
      </Form>
      <Section title="What goes in" count={held.length}>
        <OfficeTable
          caption="Lists of the archive"
          rows={held}
          rowKey={(row) => row.file}
          empty="Nothing is held."
          columns={[
            { label: 'List', cell: (row) => row.name },
            { label: 'File', cell: (row) => `${row.file}.csv`, wide: true },
            { label: 'Rows', right: true, cell: (row) => row.rows },
          ]}
        />
      </Section>
    </OfficePageFrame>
  )
}
