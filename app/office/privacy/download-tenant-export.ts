import { redirect } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { ExportTenant } from '../../../modules/privacy/operations/export-tenant.ts'
import { openOfficePage } from '../open-office-page.ts'
import { nextPage, withNext } from '../page-after-sign-in.ts'
import { tenantPath } from '../tenant-paths.ts'
import { streamOf } from '../throttled-download-stream.ts'
import type { Route } from './+types/download-tenant-export'

/**
 * Serves the archive of a tenant's data as a ZIP file. A POST, since each export counts toward the number that a staff
 * member may make in 24 hours.
 */
export async function action(args: Route.ActionArgs) {
  const { site } = await openOfficePage(args)
  const { location, tenant } = args.params
  const page = `${tenantPath({ location, tenant: Number(tenant) })}/export`
  const outcome = await site.call(ExportTenant, { location_code: location, tenant_id: tenant })
  if (!outcome.ok) {
    if (outcome.code === 'factor_needed') throw redirect(withNext('/office/second-factor', nextPage(page)))
    if (outcome.status === 429) throw redirect(`${page}?refused=many`)
    throw new Response(officeNotFound, { status: 404 })
  }
  const { name, content } = outcome.value
  return new Response(
    streamOf(content, (error) => site.reportFailure(error, page)),
    {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${name}"`,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, no-store',
      },
    },
  )
}
