import { redirect } from 'react-router'
import { csvLine } from '../../domain/csv-cells.ts'
import { toWire } from '../../domain/money.ts'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { wireInstant } from '../../domain/time-zone-dates.ts'
import { loadFacilityTimeZones } from '../../modules/facilities/views/facility-time-zones.ts'
import { ExportAudit } from '../../modules/staff/operations/export-audit.ts'
import type { AuditLine } from '../../modules/staff/views/audit-log.ts'
import { csvResponse } from '../request/csv-response.ts'
import type { Route } from './+types/audit-file'
import { hasPermission, openOfficePage } from './open-office-page.ts'
import { nextPage, withNext } from './page-after-sign-in.ts'
import { streamOf } from './throttled-download-stream.ts'

/** Serves the audit events that match the page's filters as a CSV file. POST, so that no link or prefetch writes an audit event. */
export async function action(args: Route.ActionArgs) {
  const { site, staff, url } = await openOfficePage(args, 'audit.read')
  if (!hasPermission(staff, 'audit.export')) throw new Response(officeNotFound, { status: 404 })
  const outcome = await site.call(ExportAudit, Object.fromEntries(url.searchParams))
  if (!outcome.ok) {
    const back = `/office/audit${url.search}`
    if (outcome.code === 'factor_needed') throw redirect(withNext('/office/second-factor', nextPage(back)))
    throw new Response(outcome.message, { status: outcome.status })
  }
  const { pages, by } = outcome.value
  const { zoneOf } = await loadFacilityTimeZones(site.services)
  // Local times, since the filter's days are those of the times that the page shows.
  const whenOf = ({ at, locationCode }: AuditLine) => wireInstant(zoneOf(locationCode), at)
  return csvResponse(
    streamOf(linesOf(pages, by, whenOf), (error) => site.reportFailure(error, '/office/audit')),
    'audit',
  )
}

const header = [
  'when',
  'who',
  'what',
  'outcome',
  'facility',
  'tenant',
  'lease',
  'amount',
  'reason',
  'from',
  'exported_by',
]

async function* linesOf(
  pages: AsyncGenerator<AuditLine[]>,
  by: string,
  whenOf: (event: AuditLine) => string,
): AsyncGenerator<string> {
  yield csvLine(header)
  for await (const events of pages) {
    const lines = events.map((event) =>
      csvLine([
        whenOf(event),
        event.actor,
        event.sentence,
        event.outcome,
        event.locationCode ?? '',
        String(event.tenantId ?? ''),
        String(event.leaseNumber ?? ''),
        event.cents === null ? '' : toWire(event.cents),
        event.reason,
        event.address,
        by,
      ]),
    )
    if (lines.length > 0) yield lines.join('')
  }
}
