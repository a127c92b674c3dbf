import type { ListedReceipt } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { officeTime } from './time.ts'

/** A receipt as lists show it. */
export const receiptRow = (one: ListedReceipt) => ({
  id: one.receiptId,
  state: one.state,
  what: one.what,
  // A count is blind: an amount in an open drawer is shown once it is counted.
  cents: one.drawerState === 'open' ? null : one.cents,
  by: one.receivedBy,
  at: officeTime(one.receivedAt, one.timeZone),
  units: one.units.join(', '),
  tenant: one.tenant,
  location: one.locationCode,
  drawerAt: one.drawerAt === one.locationCode ? '' : one.drawerAt,
})
