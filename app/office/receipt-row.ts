import type { ListedReceipt } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { officeTime } from './office-time.ts'

/** Returns a receipt's row for lists. */
export const receiptRow = (one: ListedReceipt) => ({
  id: one.receiptId,
  state: one.state,
  what: one.what,
  // The drawer count is blind, so amounts in an open drawer stay hidden.
  cents: one.drawerState === 'open' ? null : one.cents,
  by: one.receivedBy,
  at: officeTime(one.receivedAt, one.timeZone),
  units: one.units.join(', '),
  tenant: one.tenant,
  location: one.locationCode,
  drawerAt: one.drawerAt === one.locationCode ? '' : one.drawerAt,
})
