import type { ListedReceipt } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { formatOfficeTime } from './office-time.ts'

/** Returns the facts about a receipt that lists of receipts show. */
export const receiptRow = (receipt: ListedReceipt) => ({
  id: receipt.receiptId,
  state: receipt.state,
  what: receipt.what,
  // Staff count a drawer without knowing its amounts, so lists hide the amounts of an open drawer.
  cents: receipt.drawerState === 'open' ? null : receipt.cents,
  by: receipt.receivedBy,
  at: formatOfficeTime(receipt.receivedAt, receipt.timeZone),
  units: receipt.units.join(', '),
  tenant: receipt.tenant,
  location: receipt.locationCode,
})
