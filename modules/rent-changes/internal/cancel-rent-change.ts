import { format } from '../../../domain/money.ts'
import { alreadyDecided } from '../../../domain/texts/office-refusals.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { clearNextRent } from '../../leases/schedule-and-apply-next-rent.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import { mailRentChangeCancelled } from '../schedule-rent-after-notice.ts'
import { cancelNeedsApprover, rentAlreadyCharged } from '../texts/rent.ts'
import { loadRentChange, openRentChangeStates, type RentChange } from './rent-change-facts.ts'

/** Returns the details by which an audit event describes a rent change. */
export const rentDetails = (change: RentChange, unit: string) => ({
  what: `${format(change.old_rent)} to ${format(change.new_rent)} for ${change.location_code} ${unit}`,
})

/**
 * Checks that a rent change is open and that the staff member may cancel it.
 * @throws RefusalError
 */
function checkMayCancel(change: RentChange, staff: StaffCaller): void {
  if (change.state === 'applied') throw refusalError(409, 'charged', rentAlreadyCharged(change.applied_from ?? ''))
  if (!isOneOf(openRentChangeStates, change.state)) throw refusalError(409, 'decided', alreadyDecided)
  if (change.state !== 'proposed' && grantAt(staff, 'rent.approve', change.location_code) !== 'yes')
    throw refusalError(403, 'forbidden', cancelNeedsApprover)
}

/**
 * Cancels a rent change before its first period is charged, and mails a tenant who was given notice.
 * @returns its audit event, which the caller writes
 * @throws RefusalError
 */
export async function cancelRentChange(
  { tx, services, staff }: Pick<OfficeContext, 'tx' | 'services' | 'staff'>,
  { change_id: changeId, location_code }: Pick<RentChange, 'change_id' | 'location_code'>,
) {
  const unlocked = await loadRentChange(tx, changeId)
  if (unlocked?.location_code !== location_code) throw new RefusalError(recordNotFound)
  const lease = await lockLeaseRow(tx, unlocked)
  const change = await loadRentChange(tx, changeId)
  if (!lease || !change) throw new RefusalError(recordNotFound)
  checkMayCancel(change, staff)
  await tx
    .updateTable('rent_changes')
    .set({ state: 'cancelled', ended_at: services.clock.now() })
    .where('change_id', '=', changeId)
    .execute()
  if (change.state === 'coming') await clearNextRent(tx, change)
  if (change.notice_on !== null) await mailRentChangeCancelled(tx, services, changeId)
  return {
    kind: 'rent.cancelled' as const,
    details: rentDetails(change, lease.unit_number),
    subject: changeId,
    tenantId: change.tenant_id,
    leaseNumber: change.lease_number,
  }
}
