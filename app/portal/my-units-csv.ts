import { csvLine } from '../../domain/csv-cells.ts'
import { toWire } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { loadRentedUnits } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { csvResponse } from '../request/csv-response.ts'
import type { Route } from './+types/my-units-csv'
import { openPortalPage } from './open-portal-page.ts'

/** Sends all units of the tenant at a facility as a CSV file. */
export async function loader(args: Route.LoaderArgs) {
  const { site, facts, tenantInView } = await openPortalPage(args, { linkedOn: '/my-units' })
  const { units } = await loadRentedUnits(site.services, facts, tenantInView)
  const lines = [
    ['Unit', 'Lease', 'Size', 'Status', 'Autopay', 'Due now', 'Next payment', 'Next on', 'Paid through', 'Last day'],
    ...units.map((unit) => [
      unit.unitNumber,
      String(unit.leaseNumber),
      unit.size,
      unit.status,
      unit.autopay ? 'On' : 'Off',
      toWire(Math.max(unit.balance, 0)),
      unit.scheduledMoveOut ? '' : toWire(unit.next.cents),
      unit.scheduledMoveOut ? '' : formatUs(unit.next.on),
      formatUs(unit.paidThrough),
      unit.scheduledMoveOut ? formatUs(unit.scheduledMoveOut) : '',
    ]),
  ]
  return csvResponse(lines.map(csvLine).join(''), `units-${tenantInView.locationCode.toLowerCase()}`)
}
