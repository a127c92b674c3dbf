import { csvLine } from '../../domain/csv-cells.ts'
import { toWire } from '../../domain/money.ts'
import { ExportDrawer } from '../../modules/cash-drawers/operations/export-drawer.ts'
import { methodNames, receiptStates } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { csvResponse } from '../request/csv-response.ts'
import type { Route } from './+types/drawer-receipts-file'
import { openDrawerPage } from './load-drawer-page.ts'
import { formatOfficeTime } from './office-time.ts'
import { callForForm } from './open-office-page.ts'

/** Serves a drawer's receipts as CSV; without amounts while the drawer is open, because its count is blind. */
export async function loader(args: Route.LoaderArgs) {
  const { page, drawer } = await openDrawerPage(args, args.params.batch)
  const outcome = await callForForm(page, ExportDrawer, { batch_id: drawer.batch_id })
  if (!outcome.ok) return new Response(outcome.message, { status: outcome.status })
  const isCounted = drawer.state !== 'open'
  const lines = [
    [
      'Receipt',
      'Received',
      'Facility',
      'Units',
      'Tenant',
      'Method',
      'Number',
      ...(isCounted ? ['Amount'] : []),
      'State',
      'Received by',
      'Exported by',
    ],
    ...outcome.value.receipts.map((receipt) => [
      receipt.receiptId,
      formatOfficeTime(receipt.receivedAt, receipt.timeZone),
      receipt.locationCode,
      receipt.units.join(' '),
      receipt.tenant,
      methodNames[receipt.method],
      receipt.checkNumber,
      ...(isCounted ? [toWire(receipt.cents)] : []),
      receiptStates[receipt.state],
      receipt.receivedBy,
      page.staff.name,
    ]),
  ]
  const text = lines.map(csvLine).join('')
  return csvResponse(text, `drawer-${drawer.batch_id.toLowerCase()}`)
}
