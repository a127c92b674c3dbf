import { csvLine } from '../../../domain/csv-cells.ts'
import { toWire } from '../../../domain/money.ts'
import { ExportRents } from '../../../modules/rent-changes/operations/export-rents.ts'
import { MAX_EXPORTED_FACILITIES } from '../../../modules/rent-changes/rules/rent-change.ts'
import { csvResponse } from '../../request/csv-response.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { callForForm, openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/current-rents-csv'
import { downloadedColumns } from './parse-uploaded-rents.ts'

/**
 * Serves the open leases of the facilities in view, of `MAX_EXPORTED_FACILITIES` at most, with their rents as CSV. Staff
 * members fill in new rents and upload the file.
 */
export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const { chosen, options } = await loadFacilitiesInView(page, 'rent.propose')
  const inView = chosen.length > 0 ? chosen : options.map(({ code }) => code)
  const codes = inView.slice(0, MAX_EXPORTED_FACILITIES)
  const outcome = await callForForm(page, ExportRents, { location_codes: codes })
  if (!outcome.ok) return new Response(outcome.message, { status: outcome.status })
  const lines = [
    downloadedColumns,
    ...outcome.value.leases.map((lease) => [
      lease.locationCode,
      String(lease.leaseNumber),
      lease.unitNumber,
      lease.size,
      lease.movedIn,
      lease.lastChange ?? '',
      lease.streetRate === null ? '' : toWire(lease.streetRate),
      toWire(lease.rent),
      '',
    ]),
  ]
  const fileName = codes.length < inView.length ? `leases-of-${codes.length}-facilities` : 'leases'
  return csvResponse(lines.map(csvLine).join(''), fileName)
}
