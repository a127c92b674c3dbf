import { toWire } from '../../domain/money.ts'
import { methodNames, receiptStates } from '../../domain/office/counter.ts'
import { cellOf, csvCell } from '../../domain/spreadsheet.ts'
import { receiptsIn } from '../../modules/payments/counter/lists.ts'
import type { Route } from './+types/day-close-file'
import { openDrawerPage } from './open-drawer-page.ts'
import { officeTime } from './time.ts'

/** A drawer's receipts as a file. */
export async function loader(args: Route.LoaderArgs) {
  const { page, drawer } = await openDrawerPage(args, args.params.batch)
  const receipts = await receiptsIn(page.site.services.db.read, drawer.batch_id)
  const lines = [
    [
      'Receipt',
      'Received',
      'Facility',
      'Units',
      'Tenant',
      'Method',
      'Number',
      'Amount',
      'State',
      'Received by',
      'Exported by',
    ],
    ...receipts.map((one) => [
      ...[one.receiptId, officeTime(one.receivedAt, one.timeZone), one.locationCode, one.units.join(' '), one.tenant],
      ...[methodNames[one.method], one.checkNumber, toWire(one.cents), receiptStates[one.state], one.receivedBy],
      page.staff.name,
    ]),
  ]
  const text = lines.map((line) => `${line.map((cell) => csvCell(cellOf(cell))).join(',')}\r\n`).join('')
  return new Response(text, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="drawer-${drawer.batch_id.toLowerCase()}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
