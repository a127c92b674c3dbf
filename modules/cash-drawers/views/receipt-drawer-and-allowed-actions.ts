/** Loads the data of a receipt's page in the office, besides the receipt itself. */

import { todayIn } from '../../../domain/time-zone-dates.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadFacility } from '../../facilities/views/facility-lookups.ts'
import { type CounterReceipt, checkReturnRefusal, voidRefusal } from '../internal/receipt-reversal-refusals.ts'
import { loadDrawer } from '../load-drawers.ts'
import type { DrawerState } from '../rules/counter-receipt-methods-and-states.ts'
import type { ListedReceipt } from './receipt-lists.ts'

export interface ReceiptPage {
  /** Name and address of the facility in one line; '' where unknown. */
  facility: string
  /** State of the receipt's drawer; '' where unknown. */
  drawerState: DrawerState | ''
  mayVoid: boolean
  mayReturn: boolean
}

/** Loads facility and drawer of a receipt, and whether the staff member may void it or return its check now. */
export async function loadReceiptPage(
  services: Services,
  caller: StaffCaller,
  { listed, receipt }: { listed: Pick<ListedReceipt, 'batchId' | 'timeZone'>; receipt: CounterReceipt },
): Promise<ReceiptPage> {
  const { location_code } = receipt
  const drawerState = (await loadDrawer(services.db.read, listed.batchId))?.state ?? ''
  const facility = await loadFacility(services, location_code)
  const today = todayIn(listed.timeZone, services.clock.now())
  const hasGrant = (permission: 'receipt.void' | 'check.return') =>
    grantAt(caller, permission, location_code) !== undefined
  return {
    facility: facility
      ? `${facility.name}, ${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`
      : '',
    drawerState,
    mayVoid: hasGrant('receipt.void') && voidRefusal(receipt, drawerState, today) === null,
    mayReturn: hasGrant('check.return') && checkReturnRefusal(receipt) === null,
  }
}
